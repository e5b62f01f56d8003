//! What became of a scene: did it run to its end, with finite numbers, its energy in balance, and nobody passing through anybody?

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use carom::contact::Family;
use carom::model::file::{Source, read};
use carom::model::{Channel, Model};
use carom::system::{Observer, Outcome, Progress, Status, System};

use super::overlap::{Outline, Stand, overlap, passed};

/// How long a scene may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub steps: u64,
    pub seconds: u64,
}

/// What is found of a scene.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// `fine`, or a short sentence without numbers that is the same for failures of one kind.
    pub class: String,
    /// The numbers.
    pub said: String,
    pub steps: u64,
    pub contacts: usize,
    pub seconds: f64,
    /// The time at which it was seen, s; the end, if nothing was.
    pub t: f64,
    /// Of all samples: the same in every run.
    pub fingerprint: u64,
    /// Of what was turned over.
    pub residual: f64,
}

impl Verdict {
    fn of(class: impl Into<String>, said: impl Into<String>) -> Self {
        Self {
            class: class.into(),
            said: said.into(),
            steps: 0,
            contacts: 0,
            seconds: 0.0,
            t: f64::NAN,
            fingerprint: 0,
            residual: f64::NAN,
        }
    }

    pub fn fine(&self) -> bool {
        self.class == "fine" || self.class.starts_with("refused: ")
    }
}

/// A sentence without its numbers and without the numbers of elements.
pub fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut number = false;
    let letters: Vec<char> = text.chars().collect();
    for (i, &c) in letters.iter().enumerate() {
        let digit = c.is_ascii_digit();
        let inside = number
            && (digit
                || ".e-+".contains(c)
                    && letters
                        .get(i + 1)
                        .is_some_and(|d| d.is_ascii_digit() || *d == '-'));
        if digit || inside {
            if !number {
                out.push('#');
            }
            number = true;
        } else {
            number = false;
            out.push(c);
        }
    }
    out
}

/// Samples, and the end of patience.
struct Watcher {
    samples: Vec<(f64, Vec<f64>)>,
    budget: Budget,
    begun: Instant,
    spent: Option<Progress>,
    steps: u64,
}

impl Observer for Watcher {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.samples.push((t, values.to_vec()));
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.steps = progress.steps;
        let late = progress.steps.is_multiple_of(256)
            && self.begun.elapsed().as_secs() >= self.budget.seconds;
        if progress.steps > self.budget.steps || late {
            self.spent = Some(*progress);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Reads, runs and judges; a panic is a verdict, and so is a run that never comes back.
pub fn judge(text: &str, budget: Budget) -> Verdict {
    let (send, receive) = mpsc::channel();
    let text = text.to_string();
    let begun = Instant::now();
    thread::spawn(move || {
        let verdict = catch_unwind(AssertUnwindSafe(|| look(&text, budget)));
        let verdict = verdict.unwrap_or_else(|panic| {
            let said = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).into()));
            let said = said.unwrap_or_default();
            Verdict::of(format!("panic: {}", bare(&said)), said)
        });
        let _ = send.send(verdict);
    });
    let patience = Duration::from_secs(3 * budget.seconds + 20);
    let mut verdict = receive
        .recv_timeout(patience)
        .unwrap_or_else(|_| Verdict::of("hang", "it never came back"));
    verdict.seconds = begun.elapsed().as_secs_f64();
    verdict
}

const ENERGIES: [&str; 7] = [
    "energy.kinetic",
    "energy.gravitational",
    "energy.elastic",
    "energy.driver_work",
    "energy.load_work",
    "energy.dissipated",
    "energy.residual",
];

fn look(text: &str, budget: Budget) -> Verdict {
    // The same scene with contacts computed in another way.
    let method = std::env::var("CAROM_METHOD").ok();
    let method: Vec<_> = method
        .map(|method| ("method.contact".to_string(), method))
        .into_iter()
        .collect();
    // Without compliance nothing resists rolling.
    let rolls = |line: &&str| method.is_empty() || !line.starts_with("rolling");
    let text: Vec<&str> = text.lines().filter(rolls).collect();
    let text = text.join("\n");
    let mut model = match read(&Source::new("scene", &text), &method) {
        Ok(parsed) => parsed.model,
        Err(faults) => {
            let said: Vec<String> = faults.iter().map(|f| f.to_string()).collect();
            return Verdict::of(
                format!("unreadable: {}", bare(said[0].lines().next().unwrap_or(""))),
                said.join("\n"),
            );
        }
    };
    // Positions, energies, indentations: whatever the file asks for.
    let mut names: Vec<String> = Vec::new();
    for body in &model.bodies {
        for what in ["x", "y", "angle"] {
            names.push(format!("{}.{what}", body.name));
        }
    }
    names.extend(ENERGIES.map(String::from));
    for entry in &model.contacts {
        names.push(format!("{}.indentation", entry.element()));
    }
    let channels: Option<Vec<Channel>> = names
        .iter()
        .map(|name| Channel::parse(name, &model).ok())
        .collect();
    let Some(channels) = channels else {
        return Verdict::of("unreadable: channels", names.join(", "));
    };
    model.simulation.channels = channels;
    let mut system = match System::assemble(&model) {
        Ok(system) => system,
        Err(troubles) => {
            let said: Vec<String> = troubles.iter().map(|t| t.to_string()).collect();
            let code = troubles.first().map_or("", |t| t.code);
            if code.starts_with("piecewise-") {
                return Verdict::of(format!("refused: {code}"), said.join("\n"));
            }
            return Verdict::of(format!("cannot be put together: {code}"), said.join("\n"));
        }
    };
    let mut watcher = Watcher {
        samples: Vec::new(),
        budget,
        begun: Instant::now(),
        spent: None,
        steps: 0,
    };
    let outcome = system.run(&mut watcher);
    if std::env::var("CAROM_LOUD").is_ok() {
        for warning in outcome.warnings.iter().take(20) {
            eprintln!("{:?} {}: {warning}", warning.time, warning.code);
        }
        for c in outcome.contacts.iter().take(40) {
            eprintln!(
                "{} {} {} {:?} {:?} {:?}",
                c.element,
                c.slot,
                c.law,
                c.episode,
                c.course.deepest,
                c.place.as_ref().map(|p| (p.point, p.normal))
            );
        }
    }
    if std::env::var("CAROM_LOUD").is_ok() {
        let residual = 3 * model.bodies.len() + ENERGIES.len() - 1;
        let jump = |pair: &[(f64, Vec<f64>)]| pair[1].1[residual] - pair[0].1[residual];
        let pairs = watcher.samples.windows(2);
        if let Some(most) = pairs.max_by(|a, b| jump(a).abs().total_cmp(&jump(b).abs())) {
            let (from, to) = (most[0].0, most[1].0);
            eprintln!(
                "the ledger jumps most from {from:e} to {to:e} s: {:e} J",
                jump(most)
            );
        }
    }
    let mut verdict = verdict(&model, &outcome, &watcher);
    verdict.steps = watcher.steps;
    verdict.contacts = outcome.contacts.len();
    verdict.fingerprint =
        watcher
            .samples
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, (t, values)| {
                values.iter().chain([t]).fold(hash, |hash, x| {
                    (hash ^ x.to_bits())
                        .wrapping_mul(0x0100_0000_01b3)
                        .rotate_left(17)
                })
            });
    verdict
}

/// Whether a run that ended was asked for what there is no answer to.
fn honest(model: &Model, reason: &str) -> bool {
    // A law beyond its range, or made for shapes that have a radius.
    let beyond = [
        "no contact can begin there: effective radius",
        "no contact can begin there: wang",
        "has no force beyond",
        "bodies without compliance return 0 to 1",
        // Friction that does not vanish with the normal force presses a joint by itself.
        "which does not vanish with the normal force",
    ];
    // An open profile has no back: who comes from there is not seen before he is inside.
    let behind = reason.contains("the touch was seen when")
        && model.contacts.iter().any(|entry| {
            let open = |side: usize| {
                let mut pairs = entry.contact.pairs().iter();
                pairs.any(|pair| Outline::new(pair.shapes()[side]).is_open())
            };
            let bodies = entry.contact.bodies();
            let name = entry.element();
            (reason.starts_with(&format!("{name},")) || reason.starts_with(&format!("{name}:")))
                && (0..2).any(|side| bodies[side].is_some() && open(side))
        });
    behind || beyond.iter().any(|words| reason.contains(words))
}

/// Whether a warning says of a law whose force jumps down at the deepest point, below what presses, that it gains: there is no motion that follows it but creeping on.
fn told_of_gains(model: &Model, outcome: &Outcome) -> bool {
    let mut told = outcome
        .warnings
        .iter()
        .filter(|w| w.code == "contact-gains-energy");
    told.any(|warning| {
        model.contacts.iter().any(|entry| {
            warning.element == Some(entry.element())
                && entry.contact.terms().follows.card().id == "kelvin-voigt-switched"
        })
    })
}

/// Energy that is missing or too much, of what was turned over.
const BALANCE: f64 = 1e-5;

fn verdict(model: &Model, outcome: &Outcome, watcher: &Watcher) -> Verdict {
    let bodies = model.bodies.len();
    let (energies, indentations) = (3 * bodies, 3 * bodies + ENERGIES.len());
    let samples = &watcher.samples;
    let mut found = Verdict::of("fine", "");
    found.t = outcome.t;
    // Nothing that is not a number, whatever else happened.
    for (t, values) in samples {
        if let Some(i) = values[..indentations].iter().position(|x| !x.is_finite()) {
            found.class = "not a number".into();
            found.said = format!("value {i} at t = {t}");
            found.t = *t;
            return found;
        }
    }
    // A start inside each other is another question.
    if let Some((_, first)) = samples.first()
        && let Some((entry, _)) =
            model
                .contacts
                .iter()
                .zip(&first[indentations..])
                .find(|(entry, depth)| {
                    let shapes = entry.contact.pairs().iter().flat_map(|pair| pair.shapes());
                    let thin = shapes
                        .map(|s| Outline::new(s).thickness)
                        .fold(1.0, f64::min);
                    **depth > 1e-3 * thin
                })
    {
        found.class = "refused: starts inside each other".into();
        found.said = entry.element();
        return found;
    }
    // A run that says why it ends is told by that. One that takes too long must be sound as far as it came.
    let mut late = None;
    match outcome.status {
        Status::Completed => {}
        Status::Stopped => {
            let spent = watcher.spent.map(|p| {
                format!(
                    "t = {:e} of {:e}, step {:e}, {} events",
                    p.t, p.end, p.step, p.events
                )
            });
            late = Some(format!(
                "{} after {} steps",
                spent.unwrap_or_default(),
                watcher.steps
            ));
        }
        Status::Failed => {
            let reason = outcome.reason.clone().unwrap_or_default();
            // Bodies squeezed to a part of their thickness, as the contacts that are told show too, have no shape to be told by.
            let squeezed = reason.contains("contacts are meant to be shallow")
                && model.contacts.iter().any(|entry| {
                    let shapes = entry.contact.pairs().iter().flat_map(|pair| pair.shapes());
                    let thin = shapes
                        .map(|s| Outline::new(s).thickness)
                        .fold(f64::INFINITY, f64::min);
                    let name = entry.element();
                    let mut told = outcome.contacts.iter().filter(|c| c.element == name);
                    (reason.starts_with(&format!("{name}:"))
                        || reason.starts_with(&format!("{name},")))
                        && told.any(|c| c.course.deepest[0] > 0.25 * thin)
                });
            let kind = if squeezed || honest(model, &reason) {
                "refused"
            } else {
                "failed"
            };
            found.class = format!(
                "{kind}: {}",
                bare(&reason).chars().take(110).collect::<String>()
            );
            found.said = reason;
            return found;
        }
    }
    // Energy.
    let energy = |values: &[f64], k: usize| values[energies + k];
    let mechanical = |values: &[f64]| energy(values, 0) + energy(values, 1) + energy(values, 2);
    if let Some((_, first)) = samples.first() {
        let start = mechanical(first);
        let mut scale = 0.0_f64;
        let mut worst: [(f64, f64); 2] = [(0.0, 0.0); 2];
        for (t, values) in samples {
            let works = energy(values, 3) + energy(values, 4);
            let turned =
                energy(values, 0) + energy(values, 2) + works.abs() + energy(values, 5).abs();
            scale = scale.max(turned);
            let gain = mechanical(values) - start - works;
            if gain > worst[0].0 {
                worst[0] = (gain, *t);
            }
            let off = energy(values, 6).abs();
            if off > worst[1].0 {
                worst[1] = (off, *t);
            }
        }
        found.residual = worst[1].0 / scale;
        // With a run that ended early, too: what there is must balance.
        // What a law keeps in a variable of its own is booked as heat, and some of it comes back.
        let own = model
            .contacts
            .iter()
            .any(|entry| entry.contact.terms().follows.has_own());
        let gains = if own { 1e-2 } else { BALANCE };
        if worst[0].0 > gains * scale {
            found.class = if told_of_gains(model, outcome) {
                "refused: a law that cannot carry a weight gains energy, and that is told"
            } else {
                "energy is gained"
            }
            .into();
            found.said = format!(
                "{:e} of {scale:e} J at t = {:e}; the ledger misses {:e}",
                worst[0].0, worst[0].1, worst[1].0
            );
            found.t = worst[0].1;
            return found;
        }
        if worst[1].0 > BALANCE * scale {
            found.class = "energy does not balance".into();
            found.said = format!("{:e} of {scale:e} J at t = {:e}", worst[1].0, worst[1].1);
            found.t = worst[1].1;
            return found;
        }
    }
    // Nobody passes through anybody.
    let ground = [0.0; 3];
    let stand = |values: &[f64], body: Option<usize>| -> Stand {
        body.map_or(ground, |b| {
            [values[3 * b], values[3 * b + 1], values[3 * b + 2]]
        })
    };
    for (e, entry) in model.contacts.iter().enumerate() {
        let sides = entry.contact.bodies();
        for pair in entry.contact.pairs() {
            let outlines = pair.shapes().map(Outline::new);
            let both = [&outlines[0], &outlines[1]];
            let thin = outlines[0].thickness.min(outlines[1].thickness);
            let kinds = pair.shapes().map(|s| s.kind());
            // Behind an open profile nothing is felt: only who goes through it from its front is told.
            let open = outlines.iter().any(Outline::is_open);
            let mut before: Option<[Stand; 2]> = None;
            // Who turns in the dent that he has pressed stands in it with other places than those that were pressed.
            let dents = entry.contact.terms().follows.card().family == Family::Plastic;
            let mut dent = 0.0_f64;
            for (t, values) in samples {
                let stands = sides.map(|body| stand(values, body));
                let known = values[indentations + e];
                let known = if known.is_finite() {
                    known.max(0.0)
                } else {
                    0.0
                };
                dent = if dents { dent.max(known) } else { known };
                let (depth, off) = overlap(both, stands);
                let size = if thin.is_finite() { thin } else { 1.0 };
                let unseen = !open && depth > 1.5 * dent + 5e-3 * size + off;
                let through = before.is_some_and(|before| passed(both, before, stands));
                if unseen || through {
                    let what = if through {
                        "passed through"
                    } else {
                        "unseen overlap"
                    };
                    found.class = format!("{what}: {} and {}", kinds[0], kinds[1]);
                    found.said = format!(
                        "{} at t = {t:e}: {depth:e} m deep, known {known:e}, of {size:e} m",
                        entry.element()
                    );
                    found.t = *t;
                    return found;
                }
                before = Some(stands);
            }
        }
    }
    if let Some(said) = late {
        found.class = "too slow: the steps allowed are spent, and time goes on".into();
        found.said = said;
    }
    found
}
