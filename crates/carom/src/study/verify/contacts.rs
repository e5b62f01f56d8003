//! Which contacts do all runs have in common, and how well are they known?

use crate::math;
use crate::system::Contacted;

use super::digits::{Sizes, Verdict};
use super::runs::{Role, Run, STEPPING};

/// A contact is the same in two runs if it begins at the same time but for this part of the time to its neighbours.
const SAME: f64 = 0.01;
/// Samples before a contact that tell how fast speeds change until then.
const BEFORE: usize = 4;
/// Bounces that have become shorter so often, one after the other, and by so much, until bodies stay together would go on without end.
const BOUNCES: usize = 3;
const SHRUNK: f64 = 0.1;

/// What is known of all contacts.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// How many there are in the run as asked for.
    pub count: usize,
    /// Whether that number is to be believed: all runs have the same contacts, a hair at the start changes nothing about it, the motion can be computed to its end, and no number of bounces was cut off.
    pub counted: bool,
    /// Whether all runs from the same start have the same contacts.
    pub agreed: bool,
    /// The fewest and the most of the runs whose start was moved by a hair, if there are any.
    pub moved: Option<[usize; 2]>,
    /// What comes to rest in ever shorter bounces, without compliance: how many there are is a matter of where they are cut off.
    pub endless: Vec<String>,
    /// The fewest and the most that any run has.
    pub range: [usize; 2],
    /// The first so many are the same in all runs.
    pub settled: usize,
    /// The largest error of the times at which these begin, s.
    pub late: f64,
    /// The same as a part of the driver's period, if there is one.
    pub late_turns: Option<f64>,
    /// One by one, in order of their touches.
    pub list: Vec<Contact>,
}

/// What is known of one contact.
#[derive(Clone, Debug)]
pub struct Contact {
    /// `joint.pin`, `contact.impact`.
    pub element: String,
    /// Whether all runs have it.
    pub settled: bool,
    /// Name, unit, value, error, and what is to be believed: of its start and end, speeds, restitution, depth, force, impulse and duration those that it has.
    pub numbers: Vec<(&'static str, &'static str, f64, f64, Verdict)>,
    /// The error of the time at which it begins, as a part of the driver's period.
    pub late_turns: Option<f64>,
}

/// What may be told of a contact.
pub(super) const NAMES: [&str; 9] = [
    "start",
    "end",
    "approach_speed",
    "separation_speed",
    "restitution",
    "max_indentation",
    "peak_force",
    "impulse",
    "duration",
];

/// What is told of a contact; those of a stop that turns are in rad/s, rad, N m and N m s. What nobody knows, as the force of bodies that do not yield, is not told.
fn told(c: &Contacted) -> [(&'static str, [&'static str; 2], Option<f64>); 9] {
    let (episode, course) = (&c.episode, &c.course);
    let then = |value: f64| c.over.then_some(value);
    let all = [
        (["s", "s"], Some(episode.start)),
        (["s", "s"], then(episode.end)),
        (["m/s", "rad/s"], Some(episode.approach)),
        (["m/s", "rad/s"], then(episode.separation)),
        (["1", "1"], c.newton()),
        (["m", "rad"], Some(course.deepest[0])),
        (["N", "N m"], Some(course.peak[0])),
        (["N s", "N m s"], Some(c.impulse())),
        (["s", "s"], then(episode.end - episode.start)),
    ];
    let mut names = NAMES.into_iter();
    all.map(|(units, value)| {
        let name = names.next().unwrap_or_default();
        (name, units, value.filter(|x| !x.is_nan()))
    })
}

/// What is known of the motion before its contacts are looked at.
pub(super) struct Known {
    /// From where to where, s.
    pub time: [f64; 2],
    /// Of the driver, s.
    pub period: Option<f64>,
    /// Since when the motion is not to be believed, s.
    pub lost: Option<f64>,
    /// Whether it is known what a hair does to it.
    pub sure: bool,
    /// The fewest and the most contacts of the runs whose start was moved.
    pub moved: Option<[usize; 2]>,
    /// Whether contacts have no compliance.
    pub rigid: bool,
    /// In which column the states of the bodies begin.
    pub states: usize,
}

/// What a step of time leaves open at a contact that begins or ends somewhere within it.
#[derive(Clone, Copy)]
struct Open {
    /// The time, s.
    time: f64,
    /// The speed, m/s (or rad/s).
    speed: f64,
}

/// How fast the speeds of bodies change before a contact begins, m/s² and rad/s²: as between samples just before, without those in which others were struck.
fn pull(run: &Run, states: usize, start: f64) -> [f64; 2] {
    let width = run.table.width.max(1);
    let bodies = |row: usize| {
        let values = run.table.values.get(row * width..(row + 1) * width);
        let states = values.and_then(|values| values.get(states..));
        states.unwrap_or_default().chunks_exact(6)
    };
    let rates = |row: usize| -> Option<[f64; 2]> {
        let [a, b] = [run.table.t.get(row)?, run.table.t.get(row + 1)?];
        let mut most = [0.0_f64; 2];
        for (before, after) in bodies(row).zip(bodies(row + 1)) {
            if let ([_, _, _, ax, ay, aw], [_, _, _, bx, by, bw]) = (before, after) {
                let way = math::sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
                most = [
                    most[0].max(way / (b - a)),
                    most[1].max((bw - aw).abs() / (b - a)),
                ];
            }
        }
        Some(most)
    };
    let before = run.table.t.partition_point(|t| *t < start);
    // What touches at once has nothing before.
    let rows = match before {
        0 | 1 => before..before + BEFORE,
        _ => before.saturating_sub(BEFORE)..before - 1,
    };
    let all = rows.filter_map(rates);
    let least = all.reduce(|[a, b], [c, d]| [a.min(c), b.min(d)]);
    least.unwrap_or_default()
}

fn same_kind(a: &Contacted, b: &Contacted) -> bool {
    a.element == b.element && a.slot == b.slot && a.side == b.side
}

/// The nearest contact of the same place in a list that is in order of time.
fn nearest<'a>(c: &Contacted, list: &'a [Contacted]) -> Option<&'a Contacted> {
    let at = list.partition_point(|other| other.episode.start < c.episode.start);
    let (before, after) = list.split_at_checked(at)?;
    let before = before.iter().rev().find(|other| same_kind(c, other));
    let after = after.iter().find(|other| same_kind(c, other));
    let far = |other: &&Contacted| (other.episode.start - c.episode.start).abs();
    let both = before.into_iter().chain(after);
    both.min_by(|a, b| far(a).total_cmp(&far(b)))
}

/// The time to the nearest other contact of the same place, s.
fn alone(list: &[Contacted], i: usize, span: f64) -> f64 {
    let Some((c, (before, after))) = list.get(i).zip(list.split_at_checked(i)) else {
        return span;
    };
    let before = before.iter().rev().find(|other| same_kind(c, other));
    let after = after.iter().skip(1).find(|other| same_kind(c, other));
    let gaps = before.into_iter().chain(after);
    gaps.map(|other| (other.episode.start - c.episode.start).abs())
        .fold(span, f64::min)
}

/// The elements whose contacts follow each other ever faster until they stay: without compliance there is no end to these, and somebody has cut them off.
fn endless(list: &[Contacted]) -> Vec<String> {
    /// The last contact of a kind, the time from the one before it (s), and how that has shrunk.
    struct Bounces<'a> {
        last: &'a Contacted,
        gap: f64,
        longest: f64,
        shrunk: usize,
    }
    let mut all: Vec<Bounces<'_>> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for c in list {
        let Some(known) = all.iter_mut().find(|b| same_kind(b.last, c)) else {
            all.push(Bounces {
                last: c,
                gap: 0.0,
                longest: 0.0,
                shrunk: 0,
            });
            continue;
        };
        let gap = c.episode.start - known.last.episode.start;
        if gap < known.gap {
            known.shrunk += 1;
        } else {
            (known.longest, known.shrunk) = (gap, 0);
        }
        (known.last, known.gap) = (c, gap);
        let stays = !c.over || c.episode.end - c.episode.start > known.longest;
        let endless = stays && known.shrunk >= BOUNCES && gap < SHRUNK * known.longest;
        if endless && !names.contains(&c.element) {
            names.push(c.element.clone());
        }
    }
    names
}

/// The fewest and the most contacts that any of these runs has.
pub(super) fn counts<'a>(runs: impl Iterator<Item = &'a Run>) -> Option<[usize; 2]> {
    runs.map(|run| run.ran.contacts)
        .map(|count| [count, count])
        .reduce(|[low, high], [count, _]| [low.min(count), high.max(count)])
}

/// Sets the contacts of all runs beside those of the first.
pub(super) fn compare(asked: &Run, others: &[&Run], known: &Known, sizes: &Sizes) -> Contacts {
    let Known {
        time, period, lost, ..
    } = *known;
    let span = time[1] - time[0];
    let list = &asked.contacts;
    // In steps of time nothing begins but at the end of one.
    let steps = others.iter().filter(|run| run.ran.method == STEPPING);
    let steps = steps.filter_map(|run| run.ran.step);
    let step = steps.reduce(f64::min).unwrap_or(0.0);
    let reach = sizes.of(0.0, "m");
    let open = |c: &Contacted| {
        let rates = match step > 0.0 {
            true => pull(asked, known.states, c.episode.start),
            false => [0.0; 2],
        };
        let [way, turn] = rates;
        let rate = if c.unit == "rad" {
            turn
        } else {
            way + reach * turn
        };
        Open {
            time: step,
            speed: step * rate,
        }
    };
    let found: Vec<Contact> = list
        .iter()
        .enumerate()
        .map(|(i, c)| {
            let near = SAME * alone(list, i, span);
            let twins: Vec<Option<&Contacted>> = others
                .iter()
                .map(|run| {
                    let close = |o: &&Contacted| (o.episode.start - c.episode.start).abs() <= near;
                    nearest(c, &run.contacts).filter(close)
                })
                .collect();
            let known = lost.is_none_or(|lost| c.episode.start < lost);
            let settled = known && twins.iter().all(Option::is_some);
            one(c, &twins, settled, (period, open(c)), sizes)
        })
        .collect();
    let settled = found.iter().take_while(|c| c.settled).count();
    let starts = found.iter().take(settled).filter_map(|c| c.numbers.first());
    let late = starts.fold(0.0, |late: f64, start| late.max(start.3));
    let count = list.len();
    let all = std::iter::once(asked).chain(others.iter().copied());
    let range = counts(all).unwrap_or([count, count]);
    // One run says nothing about itself.
    let alone = others.iter().all(|run| run.ran.role == Role::Asked);
    let agreed = !alone && settled == count && range == [count, count];
    let endless = match known.rigid {
        true => endless(list),
        false => Vec::new(),
    };
    Contacts {
        count,
        counted: agreed
            && lost.is_none()
            && known.sure
            && known.moved.is_none_or(|moved| moved == range)
            && endless.is_empty(),
        agreed,
        moved: known.moved,
        endless,
        range,
        settled,
        late,
        late_turns: period.map(|period| late / period),
        list: found,
    }
}

fn one(
    c: &Contacted,
    twins: &[Option<&Contacted>],
    settled: bool,
    (period, open): (Option<f64>, Open),
    sizes: &Sizes,
) -> Contact {
    let turns = usize::from(c.unit == "rad");
    let mut numbers = Vec::new();
    for (k, (name, units, value)) in told(c).into_iter().enumerate() {
        let Some(value) = value else { continue };
        let there = twins.iter().map(|twin| {
            let numbers = told((*twin)?);
            numbers.get(k).and_then(|number| number.2)
        });
        let far = there.map(|twin| twin.map_or(f64::INFINITY, |twin| (twin - value).abs()));
        let late = match name {
            "start" | "end" | "duration" => open.time,
            "approach_speed" | "separation_speed" => open.speed,
            // As large as the speed with which they meet.
            "impulse" if open.speed > 0.0 => {
                value.abs() * (open.speed / c.episode.approach.abs()).min(1.0)
            }
            _ => 0.0,
        };
        let error = late + far.fold(0.0, f64::max);
        let verdict = match settled {
            true => Verdict::of(value, error, sizes.of(value.abs(), units[turns])),
            false => Verdict::NotAtAll,
        };
        numbers.push((name, units[turns], value, error, verdict));
    }
    let late = numbers.first().map(|start| start.3);
    Contact {
        element: c.element.clone(),
        settled,
        late_turns: period.zip(late).map(|(period, late)| late / period),
        numbers,
    }
}
