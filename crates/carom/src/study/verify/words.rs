//! What is to be believed of a run, in plain words?

use crate::math;
use crate::model::units::pretty;
use crate::system::{Status, Warning};

use super::horizon::RETURNS;
use super::{Growth, Independent, Number, Ran, Reach, Role, Verdict, Verified};

/// Digits of times and errors in sentences.
const DIGITS: usize = 3;
/// The part of an extreme that samples may miss without a word.
const MISSED: f64 = 0.01;
/// Names that are listed at most.
const SHOWN: usize = 6;

/// What there is to say, the most important first.
pub fn sentences(of: &Verified) -> Vec<String> {
    let mut said = vec![trust(of)];
    said.extend(missed(of).or_else(|| passed(of)));
    said.extend(parted(of));
    said.extend(of.reach.as_ref().map(reached));
    said.extend(unfinished(of));
    // Runs that have stepped over something say nothing about the horizon, nor do those that met it by chance.
    let blind = match of.still.missed.is_empty() {
        true => !of.still.passed.is_empty() && of.horizon.parted.is_some(),
        false => true,
    };
    if !blind && (of.reach.is_none() || of.lost().is_some()) {
        said.push(horizon(of));
    }
    said.extend(contacts_told(of));
    said.push(numbers(of));
    said.extend(still(of));
    said.push(format!(
        "The energies balance to {:.1e} of the largest that any of them was.",
        of.residual
    ));
    said.extend(samples(of));
    if of.stopped {
        let done = of.runs.iter().filter(|r| r.status == Status::Completed);
        said.push(format!(
            "It was stopped when {} of {} runs were done: this is what is known so far.",
            done.count(),
            of.runs.len()
        ));
    }
    let missing = missing(of);
    if !missing.is_empty() {
        let others = match of.reach {
            Some(_) => "",
            None if of.independent.iter().any(|one| !one.ended) => "",
            None => " What is said here rests on the others.",
        };
        said.push(format!(
            "Not every run counts to the end: {}.{others}",
            missing.join("; ")
        ));
    }
    if of.runs.iter().all(|run| run.role != Role::Second) {
        said.push(
            "No second method fits this model: the digits rest on shorter and on odd steps of the same one."
                .into(),
        );
    }
    said
}

/// How far to trust it, in one line.
pub fn trust(of: &Verified) -> String {
    let end = of.time[1];
    let verdicts = || of.numbers.iter().map(|n| n.verdict);
    let digits = verdicts().filter_map(Verdict::digits);
    let zeros = verdicts().all(|verdict| !matches!(verdict, Verdict::Digits(_)));
    let not = of.numbers.iter().filter(|n| n.verdict == Verdict::NotAtAll);
    let not = not.count();
    let mut text = match (of.lost(), digits.min()) {
        _ if of.reach.is_some() => "Trust no number: no other run came to its end".into(),
        (None, None) => "Trust no number".into(),
        (Some(lost), _) => format!("Trust nothing after {}", seconds(lost)),
        (None, Some(_)) if not > 0 && zeros => "Trust only what is zero".into(),
        (None, Some(least)) if not > 0 => {
            let many = of.numbers.len();
            format!(
                "Trust {} of {many} numbers only, to {}",
                many - not,
                plural(least)
            )
        }
        (None, Some(least)) => format!("Trust {} to the end ({})", plural(least), seconds(end)),
    };
    if !of.still.missed.is_empty() || !of.still.passed.is_empty() {
        text += ": something short was stepped over";
    } else if of.independent.iter().any(|one| !one.parted.is_empty()) {
        text += ": an independent check disagrees";
    } else if of.independent.iter().any(|one| !one.ended) && of.reach.is_none() {
        text += ": the independent check did not finish";
    }
    if of.stopped {
        text += ", as far as is known";
    }
    text + "."
}

/// So many digits.
fn plural(digits: u32) -> String {
    match digits {
        1 => "1 digit".into(),
        n => format!("{n} digits"),
    }
}

/// On what independent runs part from the others, which agree among themselves.
fn parted(of: &Verified) -> Option<String> {
    let parted = || of.independent.iter().filter(|one| !one.parted.is_empty());
    let since = parted().filter_map(|one| one.since).reduce(f64::min)?;
    let mut names: Vec<String> = Vec::new();
    for name in parted().flat_map(|one| &one.parted) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let runs: Vec<String> = parted()
        .map(|one| {
            let cut = match one.ended {
                true => String::new(),
                false => format!(" (until {}, where it was cut off)", seconds(one.until)),
            };
            match one.role {
                Role::Odd => format!("{} in an odd step{cut}", one.method),
                _ => format!("{}{cut}", one.method),
            }
        })
        .collect();
    let (others, fixed) = match parted().any(|one| one.fixed) {
        true => (
            "shorter steps",
            " Halvings of a fixed step meet a force of time at the same instants of its period and may all be wrong alike.",
        ),
        false => ("tighter tolerances", ""),
    };
    let nothing = match parted().all(|one| one.ended) {
        true => "",
        false => " Nothing of that is believed.",
    };
    let parts = if runs.len() == 1 { "parts" } else { "part" };
    Some(format!(
        "An independent check disagrees: {} {parts} from the run as asked for and the same with {others}, which agree among themselves, on {} from {} on.{fixed}{nothing}",
        runs.join(" and "),
        some(&names),
        seconds(since),
    ))
}

/// How far an independent run came that agrees with the others, but not to the end.
fn unfinished(of: &Verified) -> Option<String> {
    if of.reach.is_some() {
        return None;
    }
    let mut all = of.independent.iter();
    let one = all.find(|one| !one.ended && one.parted.is_empty())?;
    if !one.until.is_finite() {
        return Some(format!(
            "The independent check was not made: {} did not begin.",
            one.method
        ));
    }
    let end = seconds(of.time[1]);
    let apart = match one.apart.is_finite() {
        true => format!(
            ": up to there it and the run as asked for are {:.1e} of the motion apart at most",
            one.apart
        ),
        false => String::new(),
    };
    let limit = match one.fixed && one.apart.is_finite() {
        true => " No number is believed to more digits than that stretch shows.",
        false => "",
    };
    Some(format!(
        "The independent check did not finish: {} came to {} of {end}{apart}.{limit}",
        one.method,
        seconds(one.until),
    ))
}

/// Runs that did not come to their end, those with the same reason together.
fn missing(of: &Verified) -> Vec<String> {
    let mut all: Vec<(String, &str, usize)> = Vec::new();
    let short = of.runs.iter().filter(|run| {
        // That it was stopped is said already.
        let short = run.status == Status::Failed || run.status == Status::Stopped && !of.stopped;
        short && !run.is_driven()
    });
    for run in short {
        let moved = match run.role {
            Role::Moved => ", its start moved,",
            Role::Short => ", in short steps,",
            Role::Odd => ", an odd one,",
            _ => "",
        };
        let run_as = format!("{} at {}{moved}", run.method, fineness(run.rtol, run.step));
        let why = run.reason.as_deref().unwrap_or("no reason is known");
        match all.iter_mut().find(|known| known.0 == run_as) {
            Some(known) => known.2 += 1,
            None => all.push((run_as, why, 1)),
        }
    }
    let said = all.into_iter().map(|(run, why, times)| {
        let times = match times {
            1 => String::new(),
            n => format!(" {n} times"),
        };
        format!("{run} did not come to its end{times} ({why})")
    });
    said.collect()
}

/// Which extremes the samples miss.
fn samples(of: &Verified) -> Option<String> {
    let missed = |n: &&Number| {
        let far = n.sampled.map_or(0.0, |s| (s - n.value).abs());
        let far = if far > n.rounding { far } else { 0.0 };
        // Where an extreme is nothing, a part of nothing is no news.
        n.verdict.digits().is_some_and(|d| d > 1) && far > MISSED * n.scale() + 2.0 * n.error
    };
    let missed: Vec<&Number> = of.numbers.iter().filter(missed).collect();
    let far = |n: &Number| n.sampled.map_or(0.0, |s| (s - n.value).abs() / n.scale());
    let worst = missed.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?;
    let most = match missed.len() {
        1 => "One extreme lies".to_string(),
        n => format!("{n} extremes lie"),
    };
    Some(format!(
        "{most} between the samples and not in the table of the run: {} ({}) is {} there and {} on the way. A shorter output_step shows more of it.",
        worst.name,
        worst.what,
        pretty(worst.sampled.unwrap_or(f64::NAN), &worst.unit, 4),
        pretty(worst.told(), &worst.unit, 4),
    ))
}

/// A tolerance, or a fixed step.
pub(super) fn fineness(rtol: f64, step: Option<f64>) -> String {
    match step {
        Some(step) => format!("a step of {}", pretty(step, "s", DIGITS)),
        None => format!("rtol {}", tolerance(rtol)),
    }
}

/// A tolerance with the digits that somebody would type.
fn tolerance(rtol: f64) -> String {
    let text = format!("{rtol:.2e}");
    match text.split_once('e') {
        Some((head, power)) => {
            let head = head.trim_end_matches('0').trim_end_matches('.');
            format!("{head}e{power}")
        }
        None => text,
    }
}

/// How many times.
fn times(factor: f64) -> String {
    match factor < 1000.0 {
        true => format!("{factor:.1}"),
        false => format!("{factor:.1e}"),
    }
}

/// What a growth of errors costs, where it costs a digit.
fn cost(factor: f64) -> String {
    match math::log10(factor).floor() {
        digits if digits >= 2.0 => format!(", which costs {digits:.0} digits"),
        1.0 => ", which costs one digit".into(),
        _ => String::new(),
    }
}

fn seconds(t: f64) -> String {
    pretty(t, "s", DIGITS)
}

/// How fast errors grow, and when they have taken over.
fn horizon(of: &Verified) -> String {
    let horizon = &of.horizon;
    let end = of.time[1];
    let seen = |t: f64| {
        format!(
            "The run as asked for and the others are more than a per mille of the motion apart from {} on.",
            seconds(t)
        )
    };
    let beyond = match of.contacts.range {
        [_, 0] => {
            "Beyond that it is one of many possible motions: where anything is at a given time is not to be believed; averages over long times may be."
        }
        _ => {
            "Beyond that it is one of many possible motions: how many impacts there are, when, and the extremes are not to be believed; averages over many impacts may be."
        }
    };
    match (horizon.growth, horizon.reached) {
        (Growth::Exponential(exponent), Some([per_mille, whole])) => {
            let size = format!(
                "An error of the size of the tolerance ({}) is a per mille of the motion at {} and as large as the motion at {}",
                tolerance(of.rtol),
                seconds(per_mille),
                seconds(whole)
            );
            let grows = format!(
                "small errors grow e-fold every {} (Lyapunov exponent {} over this time)",
                seconds(1.0 / exponent),
                pretty(exponent, "1/s", DIGITS)
            );
            match of.lost() {
                Some(lost) => {
                    let seen = horizon
                        .parted
                        .map_or_else(String::new, |t| format!(" {}", seen(t)));
                    let kind = match horizon.returns >= RETURNS {
                        true => "chaotic",
                        false => "unstable",
                    };
                    format!(
                        "The motion is {kind}: {grows}. {size}.{seen} The horizon is {}. {beyond}",
                        seconds(lost)
                    )
                }
                None => format!(
                    "The motion can be computed to its end ({}): {grows}, and are {} times as large at {}. {size}, if it goes on like that.",
                    seconds(end),
                    times(horizon.factor),
                    seconds(horizon.until)
                ),
            }
        }
        (Growth::Unknown, _) => match horizon.parted {
            Some(t) => format!(
                "{} How fast small errors grow is not known. {beyond}",
                seen(t)
            ),
            None => format!(
                "The horizon is not known, nor how fast small errors grow: {}.",
                unknown(of)
            ),
        },
        _ => match horizon.parted {
            Some(t) if horizon.is_tame(end) => format!(
                "{} That is the error of the method, not of the motion: small errors do not grow like an exponential function of time (at {} they are {} times as large). {} makes it smaller, and there is no horizon.",
                seen(t),
                seconds(horizon.until),
                times(horizon.factor),
                match of.runs.first().is_some_and(|run| run.step.is_some()) {
                    true => "A shorter step",
                    false => "A smaller rtol",
                }
            ),
            Some(t) => format!(
                "{} Small errors do not grow like an exponential function of time: the method has not settled, or the motion hangs on a hair at one instant. {beyond}",
                seen(t)
            ),
            None if of.runs.iter().any(Ran::is_driven) => format!(
                "The motion can be computed to its end ({}): drivers move all there is, and nothing is free to part. There is no horizon.",
                seconds(end)
            ),
            None => format!(
                "The motion can be computed to its end ({}): small errors do not grow like an exponential function of time (at {} they are {} times as large{}). There is no horizon.",
                seconds(end),
                seconds(horizon.until),
                times(horizon.factor),
                cost(horizon.factor)
            ),
        },
    }
}

/// How far the comparison reaches, where no other run came to the end.
fn reached(reach: &Reach) -> String {
    let apart = match reach.apart.is_finite() {
        true => format!(
            ": up to there the runs are {:.1e} of the motion apart at most",
            reach.apart
        ),
        false => String::new(),
    };
    format!(
        "No other run from the same start came to its end: the comparison reaches only to {}{apart}. Of what comes later nothing is known.",
        seconds(reach.until)
    )
}

/// Why nobody knows how errors grow.
fn unknown(of: &Verified) -> String {
    let why = why_unknown(of);
    let horizon = &of.horizon;
    match why.is_empty() {
        false => why.into(),
        true if horizon.until < of.time[1] => format!(
            "runs whose starts are a hair apart stay near each other only to {}, too short a time to tell",
            seconds(horizon.until)
        ),
        true => format!(
            "at {} they are {} times as large, and too few starts were tried to tell",
            seconds(horizon.until),
            times(horizon.factor)
        ),
    }
}

/// Why those runs do not say it; empty if they came to their end.
fn why_unknown(of: &Verified) -> &'static str {
    let mut moved = of.runs.iter().filter(|run| run.role == Role::Moved);
    match moved.next() {
        Some(_) if of.horizon.until.is_finite() => "",
        _ if of.stopped => "the runs with another start were not done yet",
        Some(_) => "the runs with another start did not come to their end",
        None => "grains are too many to be moved one by one",
    }
}

/// How many contacts there are, and how well their times are known.
fn contacts_told(of: &Verified) -> Option<String> {
    let contacts = &of.contacts;
    let late = || match contacts.late_turns {
        Some(turns) => format!("{turns:.1e} of a turn ({})", seconds(contacts.late)),
        None => seconds(contacts.late),
    };
    let plural = |n: usize| if n == 1 { "contact" } else { "contacts" };
    if contacts.range == [0, 0] {
        return None;
    }
    let cut = |one: &Independent| !one.ended && one.since.is_some();
    let agreed = contacts.agreed && of.lost().is_none() && !of.independent.iter().any(cut);
    Some(match contacts.counted {
        false if agreed => {
            let changed = contacts.moved.filter(|moved| *moved != contacts.range);
            let why = match (contacts.endless.is_empty(), changed) {
                (true, Some([fewest, most])) => format!(
                    "That number is not to be believed all the same: with the start moved by a hair there are {}.",
                    match fewest == most {
                        true => fewest.to_string(),
                        false => format!("{fewest} to {most}"),
                    }
                ),
                (true, None) => "Whether a hair changes that number is not known.".into(),
                (false, _) => format!(
                    "That number says nothing of the motion: the bounces of {} become ever shorter, without end where contacts do not yield, and the last that is counted is where they are cut off.",
                    some(&contacts.endless)
                ),
            };
            format!(
                "{} {} in every run from this start, the same ones, which begin at the same times to {}. {why}",
                contacts.count,
                plural(contacts.count),
                late()
            )
        }
        true => format!(
            "{} {}: that number is to be believed. Every run has the same ones, and they begin at the same times to {}.",
            contacts.count,
            plural(contacts.count),
            late()
        ),
        false => {
            let [fewest, most] = contacts.range;
            let others = match fewest == most {
                true => String::new(),
                false => format!(" (the others have {fewest} to {most})"),
            };
            let settled = match contacts.settled {
                0 => "None of them is the same in all runs.".into(),
                1 => format!(
                    "Only the first is the same in all runs, and begins at the same time to {}.",
                    late()
                ),
                n => format!(
                    "The first {n} are the same in all runs, and begin at the same times to {}; nothing is to be believed of later ones.",
                    late()
                ),
            };
            format!(
                "{} {}: that number is not to be believed{others}. {settled}",
                contacts.count,
                plural(contacts.count),
            )
        }
    })
}

/// The least digits of any number.
fn numbers(of: &Verified) -> String {
    let not: Vec<String> = of
        .numbers
        .iter()
        .filter(|n| n.verdict == Verdict::NotAtAll)
        .map(|n| format!("{} ({})", n.name, n.what))
        .collect();
    let least = |digits: &mut dyn Iterator<Item = Verdict>| {
        digits
            .filter_map(|verdict| match verdict {
                Verdict::Digits(n) => Some(n),
                _ => None,
            })
            .min()
    };
    let all = least(&mut of.numbers.iter().map(|n| n.verdict));
    let best = least(&mut of.numbers.iter().filter_map(|n| Some(n.best?.1)));
    let zero = of
        .numbers
        .iter()
        .any(|n| matches!(n.verdict, Verdict::Zero(_)));
    let mut text = match all {
        _ if of.numbers.is_empty() => "There is no number to be believed or not".into(),
        Some(1) if not.is_empty() => "Of some numbers only one digit is to be believed".into(),
        Some(n) if not.is_empty() => {
            format!("Of every number at least {n} digits are to be believed")
        }
        Some(1) => "Of some numbers one digit is to be believed, of others none".into(),
        Some(n) => {
            format!("Of some numbers nothing is to be believed, of the others at least {n} digits")
        }
        None if not.is_empty() => "All numbers are zero".into(),
        None if zero => "What is zero is to be believed, and nothing else".into(),
        None => "No number is to be believed".into(),
    };
    if let (Some(best), Some(all)) = (best, all)
        && best > all
        && not.is_empty()
    {
        let tightest = of.runs.iter().rfind(|run| run.role == Role::Tighter);
        let at = tightest.map_or_else(String::new, |run| fineness(run.rtol, run.step));
        text += &format!(", and at {at} at least {best}");
    }
    text.push('.');
    if !not.is_empty() {
        text += &format!(" Not to be believed at all: {}.", some(&not));
    }
    text
}

/// The first of many names.
fn some(names: &[String]) -> String {
    let (shown, more) = names.split_at(names.len().min(SHOWN));
    let more = match more.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("{}{more}", shown.join(", "))
}

/// What is zero in every run, or could have been stepped over, and how far that reaches.
fn still(of: &Verified) -> Option<String> {
    let still = &of.still;
    let short = seconds(still.pulse);
    match still.channels.is_empty() {
        false => Some(format!(
            "Zero in every run: {}. A pulse shorter than {short} would not have been seen.",
            some(&still.channels)
        )),
        true if still.pulses && still.missed.is_empty() && still.passed.is_empty() => {
            Some(format!(
                "A pulse of a force or a driver that is shorter than {short} may not have been seen by any run."
            ))
        }
        true => None,
    }
}

/// What every run but the one in short steps has stepped over.
fn missed(of: &Verified) -> Option<String> {
    let still = &of.still;
    let since = still
        .since
        .map_or_else(String::new, |t| format!(", from {} on", seconds(t)));
    (!still.missed.is_empty()).then(|| {
        format!(
            "The run as asked for has stepped over something short: in steps of at most {} {} {} otherwise{since}. The other runs that agree with it have stepped over it too.",
            seconds(still.pulse),
            some(&still.missed),
            if still.missed.len() == 1 { "is" } else { "are" },
        )
    })
}

/// What other runs have stepped over, and the run as asked for has not.
fn passed(of: &Verified) -> Option<String> {
    let passed = &of.still.passed;
    (!passed.is_empty()).then(|| {
        format!(
            "Another run has stepped over something short: on {} the run as asked for agrees with the one in steps of at most {}, but not with every other one. Nothing of that is believed until all of them see it.",
            some(passed),
            seconds(of.still.pulse),
        )
    })
}

/// A warning for the results of a run, if a part of it is not to be believed.
pub fn warning(of: &Verified) -> Option<Warning> {
    let not = of.numbers.iter().any(|n| n.verdict == Verdict::NotAtAll);
    if let Some(message) = missed(of).or_else(|| passed(of)) {
        return Some(Warning {
            code: "stepped-over",
            element: None,
            time: of.still.since,
            message: message.trim_end_matches('.').into(),
            hint: format!("solver.max_step = \"{}\"", seconds(of.still.pulse)),
        });
    }
    if let Some(message) = parted(of) {
        let since = of.independent.iter().filter_map(|one| one.since);
        return Some(Warning {
            code: "check-disagrees",
            element: None,
            time: since.reduce(f64::min),
            message: message.trim_end_matches('.').into(),
            hint: "a method that chooses its steps, such as solver.integrator = \"dop853\", or a step that is short beside everything that changes with time".into(),
        });
    }
    if let Some(lost) = of.lost() {
        return Some(Warning {
            code: "beyond-horizon",
            element: None,
            time: Some(lost),
            message: horizon(of).trim_end_matches('.').into(),
            hint: "believe what was before; a tighter rtol moves the horizon only a little; ask for averages, or for what many runs have in common".into(),
        });
    }
    if let Some(reach) = &of.reach {
        return Some(Warning {
            code: "not-settled",
            element: None,
            time: Some(reach.until),
            message: reached(reach).trim_end_matches('.').into(),
            hint: "let the other runs come to their end: a larger solver.max_steps, a looser rtol, or a simulation.end before that time".into(),
        });
    }
    let contacts = &of.contacts;
    if not || !contacts.agreed && contacts.count > 0 {
        return Some(Warning {
            code: "not-settled",
            element: None,
            time: None,
            message: match not {
                true => numbers(of),
                false => contacts_told(of).unwrap_or_default(),
            }
            .trim_end_matches('.')
            .into(),
            hint: "a smaller rtol; the table of digits says which numbers can be used".into(),
        });
    }
    None
}
