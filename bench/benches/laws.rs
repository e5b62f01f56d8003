//! How fast is a contact force, a closed-form restitution, an impact, a hundred thousand impacts?
//!
//! Every number stands beside a peer timed in the same run: the bare formula for forces, a bare `powf` for the rest, SciPy for impacts.

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use carom::card::Values;
use carom::contact::closed;
use carom::contact::{
    self, Calibration, Card, Damper, Elastic, Exponent, Law, Restitution, State, Touch,
};
use carom::impact::{Lab, begin};
use carom::study::Inputs;

/// Nanoseconds per call, the least of many rounds over a set of inputs.
fn nanoseconds<T>(inputs: &[T], mut f: impl FnMut(&T) -> f64) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        let mut sum = 0.0;
        for input in inputs {
            sum += f(black_box(input));
        }
        black_box(sum);
        least = least.min(start.elapsed().as_secs_f64() / inputs.len() as f64);
    }
    least * 1e9
}

fn verdict(fine: bool) -> &'static str {
    if fine { "holds" } else { "DOES NOT HOLD" }
}

fn main() {
    forces();
    restitution();
    one_impact();
    many_impacts();
}

/// The law in a typical case: its own coefficient where it takes a restitution, the calibrated one where it can be calibrated, else as it is.
fn law(card: &'static Card) -> Option<Law> {
    let values = Inputs::plausible(card).values;
    let asked = Some(Restitution::Number(0.7));
    Law::new(card, &values, asked.clone(), Calibration::Published)
        .or_else(|_| Law::new(card, &values, asked, Calibration::Exact))
        .ok()
}

/// How many powers with a general exponent a force needs; Lambert's function counts as two, another transcendental function as one.
fn powers(touch: &Touch) -> usize {
    let general = |e: Exponent| usize::from(matches!(e, Exponent::General(_)));
    let elastic = match *touch.elastic() {
        Elastic::Power { n, .. } => general(n),
        Elastic::Cylinder(_) => 2,
        Elastic::Clearance(_) | Elastic::Plastic(_) | Elastic::Volume { .. } => 0,
        // None of the catalogue: nobody knows.
        Elastic::Own(_) => 0,
    };
    elastic
        + match *touch.damper() {
            Damper::Power { p, .. } | Damper::Approach { p, .. } => general(p),
            Damper::Signed { p, q, .. } => general(p) + general(q),
            Damper::Relaxing(_) => 1,
            _ => 0,
        }
}

fn forces() {
    let states: Vec<State> = (0..1000)
        .map(|i| State {
            delta: 1e-5 * (0.1 + 0.9 * f64::from(i) / 1000.0),
            rate: 0.3 * f64::from(500 - i) / 500.0,
            time: 1.5e-7 * f64::from(i),
            own: 1e-8,
        })
        .collect();
    let bare = nanoseconds(&states, |s| {
        5.5e9 * s.delta * s.delta.sqrt() * (1.0 + 1.5 * s.rate)
    });
    let power = nanoseconds(&states, |s| s.delta.powf(black_box(1.37)));
    println!(
        "Forces, ns each. Peers: Hunt-Crossley's formula written out {bare:.1}, one powf {power:.1}\n"
    );
    println!("{:<30} {:>7} {:>7} {:>7}", "law", "powers", "ns", "limit");
    let mut fine = true;
    let mut cases: Vec<(String, Touch)> = Vec::new();
    for card in contact::cards() {
        match law(card).map(|law| begin(&law, Inputs::SPEED, Inputs::MASS)) {
            Some(Ok(touch)) => cases.push((card.id.into(), touch)),
            Some(Err(error)) => println!("{}: {error}", card.id),
            None => println!("{}: no typical case", card.id),
        }
    }
    for (id, n) in [("hunt-crossley", 1.37), ("poursina-nikravesh", 1.37)] {
        let values = Values::new()
            .number("stiffness", 5.5e9)
            .number("exponent", n)
            .number("restitution", 0.7);
        let touch = contact::find(id)
            .ok()
            .and_then(|card| Law::new(card, &values, None, Calibration::Published).ok())
            .and_then(|law| law.touch(Inputs::SPEED, Inputs::MASS).ok());
        cases.extend(touch.map(|touch| (format!("{id}, n = {n}"), touch)));
    }
    for (name, touch) in cases {
        let took = nanoseconds(&states, |s| touch.force(s).total());
        let powers = powers(&touch);
        let limit = if powers <= 1 { 15.0 } else { 45.0 };
        fine &= took <= limit;
        let mark = if took <= limit { "" } else { "  over" };
        println!("{name:<30} {powers:>7} {took:>7.1} {limit:>7.0}{mark}");
    }
    println!(
        "\na force within 15 ns with at most one general power, within 45 ns with more: {}\n",
        verdict(fine)
    );
}

fn restitution() {
    let h: Vec<f64> = (1..=1000).map(|i| 0.01 * f64::from(i)).collect();
    let took = nanoseconds(&h, |h| closed::restitution(*h));
    let power = nanoseconds(&h, |h| h.powf(black_box(1.37)));
    println!(
        "Restitution of the hysteresis family in closed form: {took:.1} ns (one powf: {power:.1} ns); within 50 ns: {}\n",
        verdict(took <= 50.0)
    );
}

fn one_impact() {
    let Some(Ok(touch)) = contact::find("hunt-crossley")
        .ok()
        .and_then(law)
        .map(|law| begin(&law, Inputs::SPEED, Inputs::MASS))
    else {
        return println!("no impact to time");
    };
    let Ok(mut lab) = Lab::new(1e-8) else {
        return println!("no laboratory");
    };
    let Ok(free) = lab.free("hunt-crossley", &touch) else {
        return println!("the impact failed");
    };
    let exact = closed::restitution(0.45);
    let took = nanoseconds(&vec![touch; 20], |touch| {
        lab.free("hunt-crossley", touch)
            .map_or(f64::NAN, |free| free.restitution)
    });
    println!(
        "One impact (Hunt-Crossley, rtol 1e-8): {:.2} µs, {} evaluations, restitution off by {:.1e}; within 5 µs: {}\n",
        took / 1000.0,
        free.evaluations,
        free.restitution - exact,
        verdict(took <= 5000.0)
    );
}

/// One impact of Poursina and Nikravesh (2020), section 5.1.
#[derive(Clone, Copy)]
struct Case {
    mass: f64,
    stiffness: f64,
    exponent: f64,
    restitution: f64,
    speed: f64,
}

impl Case {
    fn touch(&self) -> Option<Touch> {
        let values = Values::new()
            .number("stiffness", self.stiffness)
            .number("exponent", self.exponent);
        let card = contact::find("poursina-nikravesh").ok()?;
        let asked = Some(Restitution::Number(self.restitution));
        let law = Law::new(card, &values, asked, Calibration::Published).ok()?;
        law.touch(self.speed, self.mass).ok()
    }
}

/// Everything from the numbers to the restitution: law, contact, motion.
fn returned(cases: &[Case], rtol: f64) -> Vec<f64> {
    let Ok(mut lab) = Lab::new(rtol) else {
        return Vec::new();
    };
    cases
        .iter()
        .map(|case| {
            case.touch()
                .and_then(|touch| lab.free("poursina-nikravesh", &touch).ok())
                .map_or(f64::NAN, |free| free.restitution)
        })
        .collect()
}

/// The same on two threads; the order is that of the cases.
fn on_two_cores(cases: &[Case], rtol: f64) -> Vec<f64> {
    let (first, second) = cases.split_at(cases.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| returned(second, rtol));
        let mut all = returned(first, rtol);
        all.extend(other.join().unwrap_or_default());
        all
    })
}

fn many_impacts() {
    const NUMBER: usize = 100_000;
    const RTOL: f64 = 6e-9;
    let mut bits = 88_172_645_463_325_252_u64;
    // Marsaglia (2003), xorshift.
    let mut uniform = || {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut log = |low: f64, high: f64| 10.0_f64.powf(low + (high - low) * uniform());
    let cases: Vec<Case> = (0..NUMBER)
        .map(|_| Case {
            mass: log(-5.0, 2.0),
            stiffness: log(5.0, 10.0),
            speed: log(-3.0, 2.0),
            exponent: 1.0 + log(0.0, 1.0).log10(),
            restitution: 0.05 + 0.95 * log(0.0, 1.0).log10(),
        })
        .collect();
    let mut least = f64::INFINITY;
    let mut found = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        found = on_two_cores(&cases, RTOL);
        least = least.min(start.elapsed().as_secs_f64());
    }
    let exact = on_two_cores(&cases, 1e-13);
    let worst = found
        .iter()
        .zip(&exact)
        .map(|(a, b)| (a - b).abs())
        .fold(
            0.0,
            |worst: f64, d| if d.is_nan() { d } else { worst.max(d) },
        );
    println!(
        "{NUMBER} random impacts (Poursina-Nikravesh, mass 1e-5…100 kg, stiffness 1e5…1e10, 1e-3…100 m/s, n 1…2, e 0.05…1), rtol {RTOL:e}, two threads:"
    );
    println!(
        "  Carom: {least:.3} s, largest error of the restitution against rtol 1e-13: {worst:.1e}"
    );
    println!(
        "  within 0.45 s: {}; within 1e-8: {}",
        verdict(least <= 0.45),
        verdict(worst <= 1e-8)
    );
    match scipy(&cases[..200], &exact) {
        Ok((seconds, worst)) => println!(
            "  SciPy (DOP853, rtol 1e-9, one thread): {seconds:.2} s for 200 of them, so {:.0} s for all; largest error {worst:.1e}",
            seconds * NUMBER as f64 / 200.0
        ),
        Err(why) => println!("  SciPy: not run ({why})"),
    }
}

/// Seconds that SciPy takes for these cases, and its largest error.
fn scipy(cases: &[Case], exact: &[f64]) -> Result<(f64, f64), String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/impacts.py");
    let mut child = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("python3: {error}"))?;
    let mut text = String::new();
    for case in cases {
        let damping = case
            .touch()
            .and_then(|touch| touch.damper().coefficient())
            .unwrap_or(0.0);
        text += &format!(
            "{:e} {:e} {:e} {damping:e} {:e}\n",
            case.mass, case.stiffness, case.exponent, case.speed
        );
    }
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(text.as_bytes())
            .map_err(|error| error.to_string())?;
    }
    let out = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    let numbers: Vec<f64> = String::from_utf8_lossy(&out.stdout)
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    match numbers.split_first() {
        Some((seconds, found)) if found.len() == cases.len() => {
            let worst = found
                .iter()
                .zip(exact)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            Ok((*seconds, worst))
        }
        _ => Err("python3 with NumPy and SciPy is needed".into()),
    }
}
