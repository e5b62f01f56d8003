//! Do the everyday mechanisms of the folder of models do what their titles say?
//!
//! The numbers follow from the geometry of each (quarter turns, teeth, blows a turn), which its first lines explain.

mod folder;

use std::fs;
use std::path::{Path, PathBuf};

use folder::{Folder, carom_in, text};

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// What a run left behind.
struct Done {
    _folder: Folder,
    path: PathBuf,
    heads: Vec<String>,
    rows: Vec<Vec<f64>>,
}

/// One contact: its element, the point, when it began, with which speed.
struct Blow {
    element: String,
    point: String,
    start: f64,
    speed: f64,
}

impl Done {
    /// Runs a model as it stands, or with changes.
    fn of(name: &str, changes: &[&str]) -> Self {
        let folder = Folder::new(&format!("everyday-{name}-{}", changes.len()));
        let model = models().join(format!("{name}.toml"));
        let out = folder.0.join("out");
        let mut arguments = vec!["run", model.to_str().expect("UTF-8"), "--quiet"];
        arguments.extend(["--no-report", "--out", out.to_str().expect("UTF-8")]);
        for change in changes {
            arguments.extend(["--set", change]);
        }
        let ran = carom_in(&folder.0, &arguments);
        let said = text(&ran.stderr);
        assert_eq!(ran.status.code(), Some(0), "{name} {changes:?}: {said}");
        if changes.is_empty() {
            assert!(said.is_empty(), "{name} warns: {said}");
        }
        let csv = fs::read_to_string(out.join("trajectory.csv")).expect("it is there");
        let mut lines = csv.lines();
        let heads = lines.next().expect("a head").split(',');
        let heads = heads.map(|head| head.split(" [").next().unwrap_or(head).to_string());
        let heads: Vec<String> = heads.collect();
        let rows = lines.map(|line| {
            let cells = line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN));
            cells.collect::<Vec<f64>>()
        });
        let rows: Vec<Vec<f64>> = rows.collect();
        let done = Self {
            _folder: folder,
            path: out,
            heads,
            rows,
        };
        done.balances(name);
        done
    }

    /// The ledger closes: to 1e-5 of what was dissipated, of grains (a fixed step) to 1e-3.
    fn balances(&self, name: &str) {
        let scale = largest(&self.column("energy.dissipated"));
        let residual = largest(&self.column("energy.residual"));
        let part = if name == "vibrating-sieve" {
            1e-3
        } else {
            1e-5
        };
        assert!(
            residual <= part * scale,
            "{name}: {residual} J of {scale} J"
        );
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let at = self.heads.iter().position(|head| head == name);
        let at = at.unwrap_or_else(|| panic!("no column {name}: {:?}", self.heads));
        self.rows.iter().map(|row| row[at]).collect()
    }

    /// Degrees in place of radians.
    fn degrees(&self, name: &str) -> Vec<f64> {
        self.column(name).iter().map(|a| a.to_degrees()).collect()
    }

    fn last(&self, name: &str) -> f64 {
        *self.column(name).last().expect("a row")
    }

    /// The sample nearest to a time.
    fn at(&self, name: &str, time: f64) -> f64 {
        let t = self.column("t");
        let nearest =
            (0..t.len()).min_by(|i, j| (t[*i] - time).abs().total_cmp(&(t[*j] - time).abs()));
        self.column(name)[nearest.expect("a row")]
    }

    fn blows(&self, element: &str) -> Vec<Blow> {
        let csv = fs::read_to_string(self.path.join("contacts.csv")).expect("it is there");
        let head: Vec<&str> = csv.lines().next().expect("a head").split(',').collect();
        let find = |name: &str| {
            head.iter()
                .position(|h| h.starts_with(name))
                .expect("a column")
        };
        let (point, start, speed) = (find("point_number"), find("start"), find("approach_speed"));
        let blows = csv.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            Blow {
                element: cells[0].to_string(),
                point: cells[point].to_string(),
                start: cells[start].parse().expect("a number"),
                speed: cells[speed].parse().expect("a number"),
            }
        });
        blows
            .filter(|blow| blow.element.starts_with(element))
            .collect()
    }
}

fn largest(column: &[f64]) -> f64 {
    column.iter().fold(0.0, |most, v| most.max(v.abs()))
}

fn range(column: &[f64]) -> (f64, f64) {
    let fold = |(low, high): (f64, f64), v: &f64| (low.min(*v), high.max(*v));
    column.iter().fold((f64::INFINITY, f64::NEG_INFINITY), fold)
}

#[test]
fn a_geneva_wheel_makes_a_quarter_turn_for_a_turn_of_the_crank() {
    let run = Done::of("geneva-wheel", &[]);
    let play = 0.3;
    for (time, angle) in [(0.15, 0.0), (0.5, -90.0), (0.65, -90.0), (1.0, -180.0)] {
        let got = run.at("wheel.angle", time).to_degrees();
        assert!((got - angle).abs() < play, "{time} s: {got}");
    }
    // sin(45°)/(1 - sin(45°)) = 2.4142 times the crank's 120 rpm, but for the play.
    let fastest = largest(&run.column("wheel.omega")) / (4.0 * std::f64::consts::PI);
    assert!((fastest - 2.414_2).abs() < 0.03, "{fastest}");
}

#[test]
fn a_pawl_holds_what_the_ratchet_has_won() {
    let run = Done::of("ratchet-and-pawl", &[]);
    // Four teeth of 30 degrees a stroke; between strokes nothing moves.
    for (time, angle) in [(0.75, 0.0), (1.55, -120.0), (2.35, -240.0)] {
        let got = (run.at("wheel.angle", time) - run.at("wheel.angle", 0.75)).to_degrees();
        assert!((got - angle).abs() < 0.05, "{time} s: {got}");
        assert!(run.at("wheel.omega", time).abs() < 1e-6);
    }
    let mut least = 0.0_f64;
    for angle in run.degrees("wheel.angle") {
        least = least.min(angle);
        assert!(angle - least < 31.0, "back by more than a tooth: {angle}");
    }
    assert!(run.last("weight.y") > -0.02);
}

#[test]
fn a_gear_rattles_within_its_backlash_and_keeps_its_ratio() {
    let run = Done::of("lantern-gear", &[]);
    let (wheel, lantern) = (run.column("wheel.angle"), run.column("lantern.angle"));
    let ratio = run.last("lantern.angle") / run.last("wheel.angle");
    assert!((ratio + 3.0).abs() < 0.01, "{ratio}");
    // 1 mm to either side on a circle of 80 mm; the straight pieces of the flanks make it up to half as much again.
    let off: Vec<f64> = wheel
        .iter()
        .zip(&lantern)
        .map(|(w, l)| 80.0 * (l + 3.0 * w))
        .collect();
    let (low, high) = range(&off);
    assert!(
        -1.5 < low && low < -0.9 && 0.9 < high && high < 1.5,
        "{low} {high}"
    );
}

#[test]
fn a_valve_follows_its_cam_up_to_a_speed_and_floats_above() {
    // How far the valve is above (nearer to its seat than) what its cam asks for, or below it, where that is more than 0.3 mm of lift.
    let off = |run: &Done| {
        let (angle, y) = (run.column("cam.angle"), run.column("valve.y"));
        let tau = std::f64::consts::TAU;
        let mut most = 0.0_f64;
        for (a, height) in angle.iter().zip(&y) {
            let nose = (a - 0.75 * tau + 0.5 * tau).rem_euclid(tau) - 0.5 * tau;
            let x = nose / 75.0_f64.to_radians();
            let lift = if x.abs() < 1.0 {
                8e-3 * (1.0 - x * x).powi(3) - 0.2e-3
            } else {
                0.0
            };
            if lift > 0.3e-3 {
                most = most.max((y[0] - height - lift).abs());
            }
        }
        most
    };
    let follows = off(&Done::of("valve-train", &["parameters.speed=\"3000 rpm\""]));
    assert!(follows < 0.1e-3, "{follows}");
    let floats = off(&Done::of("valve-train", &[]));
    assert!((2e-3..3e-3).contains(&floats), "{floats}");
}

#[test]
fn a_latch_shuts_a_door_that_is_swung_and_throws_back_one_that_is_not() {
    let run = Done::of("door-latch", &[]);
    let (inmost, _) = range(&run.column("joint.bolt.distance"));
    assert!(inmost < -8e-3, "the bolt was pushed in: {inmost}");
    assert!(run.last("joint.bolt.distance").abs() < 0.1e-3);
    assert!(run.last("door.angle").to_degrees().abs() < 0.15);
    let slow = ["parameters.speed=\"0.12 rad/s\"", "simulation.end=\"2 s\""];
    let back = Done::of("door-latch", &slow)
        .last("door.angle")
        .to_degrees();
    assert!(back > 5.0, "{back}");
}

#[test]
fn a_hammer_drill_strikes_once_a_turn() {
    let run = Done::of("hammer-drill", &[]);
    let blows = run.blows("contact.blow");
    assert_eq!(blows.len(), 35, "70 a second, for half a second");
    for pair in blows[20..].windows(2) {
        let apart = pair[1].start - pair[0].start;
        assert!((apart - 1.0 / 70.0).abs() < 1e-4, "{apart}");
        assert!((9.0..10.0).contains(&pair[1].speed), "{}", pair[1].speed);
    }
}

#[test]
fn a_trip_hammer_falls_once_a_pin() {
    let run = Done::of("trip-hammer", &[]);
    let mut falls: Vec<f64> = Vec::new();
    for blow in run.blows("contact.anvil").iter().filter(|b| b.speed > 1.0) {
        if falls.last().is_none_or(|last| blow.start - last > 0.1) {
            falls.push(blow.start);
        }
    }
    assert_eq!(falls.len(), 4);
    for pair in falls.windows(2) {
        assert!((pair[1] - pair[0] - 0.6).abs() < 0.02, "25 rpm, four pins");
    }
}

#[test]
fn an_escapement_lets_one_tooth_go_a_period() {
    let run = Done::of("clock-escapement", &[]);
    // Both a whole number of periods after each other, while the tooth rests.
    for seconds in [3.0, 4.0, 5.0] {
        let turned =
            (run.at("wheel.angle", seconds + 1.0) - run.at("wheel.angle", seconds)).to_degrees();
        assert!((turned + 24.0).abs() < 0.05, "{turned}");
    }
    let (low, high) = range(&run.degrees("anchor.angle"));
    assert!(
        (-3.5..-3.0).contains(&low) && (3.0..3.5).contains(&high),
        "{low} {high}"
    );
}

#[test]
fn the_carom_shot_scores_by_three_cushions() {
    let run = Done::of("carom-shot", &[]);
    let all = run.blows("");
    let path: Vec<String> = all
        .iter()
        .filter(|blow| blow.element.contains("white"))
        .map(|blow| format!("{} {}", blow.element, blow.point))
        .collect();
    // Shapes of the ground: 1 left, 2 right, 3 near, 4 far.
    let expected = [
        "group.balls.white+red 1",
        "contact.white-cushions 2",
        "contact.white-cushions 3",
        "contact.white-cushions 1",
        "group.balls.white+yellow 1",
    ];
    assert_eq!(path, expected);
}

#[test]
fn a_loose_ball_quiets_a_machine_at_resonance() {
    let late = |run: &Done| {
        let x = run.column("machine.x");
        largest(&x[x.len() * 7 / 10..])
    };
    let quiet = late(&Done::of("impact-damper", &[]));
    assert!(quiet < 2e-3, "{quiet}");
    // F/(c ω) = 50 mm, of which 1 - exp(-c t/(2 m)) are there after 5 s: 39.7 mm.
    let loud = late(&Done::of("impact-damper", &["body.ball.mass=\"0.1 g\""]));
    assert!((loud - 39.7e-3).abs() < 1.5e-3, "{loud}");
}

#[test]
fn a_die_comes_to_lie_on_a_side() {
    let run = Done::of("thrown-die", &[]);
    let quarters = run.last("die.angle") / std::f64::consts::FRAC_PI_2;
    assert!((quarters - quarters.round()).abs() < 1e-3, "{quarters}");
    assert!((run.last("die.y") - 8e-3).abs() < 1e-5);
}

#[test]
fn dominoes_fall_one_after_the_other() {
    let run = Done::of("dominoes", &[]);
    let t = run.column("t");
    let mut before = 0.0;
    for piece in [1, 2, 4, 6, 8] {
        let angle = run.degrees(&format!("d{piece}.angle"));
        let begins = t[angle.iter().position(|a| *a < -2.0).expect("it falls")];
        assert!(begins > before, "{piece}: {begins}");
        before = begins;
        let end = angle.last().expect("a row");
        let down = if piece == 8 { 89.5..90.5 } else { 65.0..75.0 };
        assert!(down.contains(&-end), "{piece}: {end}");
    }
}

#[test]
fn a_sieve_lets_through_what_fits_and_moves_the_rest_on() {
    let run = Done::of("vibrating-sieve", &[]);
    let moved = run.last("group.grains.centre_x") - run.column("group.grains.centre_x")[0];
    assert!(moved > 0.1, "{moved}");
    let csv = fs::read_to_string(run.path.join("grains.csv")).expect("it is there");
    let (mut under, mut over) = (0, 0);
    for line in csv.lines().skip(1) {
        let cells: Vec<f64> = line
            .split(',')
            .map(|c| c.parse().unwrap_or(f64::NAN))
            .collect();
        let (x, y, radius) = (cells[1], cells[2], cells[7]);
        if x < 0.153 && y < -3e-3 {
            under += 1;
            // Half a gap is 3.5 mm; the grains are soft.
            assert!(radius < 3.65e-3, "{radius}");
        } else {
            over += 1;
        }
    }
    assert!(under >= 10 && over >= 40, "{under} {over}");
}

#[test]
fn a_woodpecker_pecks_down_its_pole_and_falls_where_it_is_waxed() {
    let run = Done::of("woodpecker-toy", &[]);
    let pecks = run.blows("contact.beak").len();
    assert!((10..=12).contains(&pecks), "{pecks}");
    let down = -run.last("sleeve.y");
    assert!((0.1..0.17).contains(&down), "{down}");
    // g t^2/2 = 11.04 m, and a push by the first peck.
    let waxed = Done::of("woodpecker-toy", &["parameters.mu=0.05"]);
    let down = -waxed.last("sleeve.y");
    assert!((10.5..11.5).contains(&down), "{down}");
}
