//! What is kept of a run for those who want to see it: poses, forces, curves, energies?
//!
//! Everything is thinned while it comes in ([`crate::results::thin`]): smooth stretches keep few points, impacts many. Memory and the file stay bounded, whatever the number of steps. `film.json` holds all of it but what
//! stands in the summary and the manifest.

use serde_json::{Value, json};

use crate::math;
use crate::model::{Analysis, GroupEntry, Model};
use crate::results::laws::laws;
use crate::results::packed::{f32s, f64s};
use crate::results::scene::scene;
use crate::results::section::{Section, period};
use crate::results::thin::{Kept, Slack, Thin};
use crate::results::trajectory::Column;
use crate::system::{Arrow, Contacted, Frame, Outcome, Snapshot, System, When};

/// The format of `film.json`.
pub const FORMAT: u64 = 1;

/// Channels that have a curve, at most.
const SERIES: usize = 400;
/// Points of all curves together, and of one, at most.
const POINTS: usize = 72_000;
const POINTS_EACH: [usize; 2] = [60, 6000];
/// The part of its range by which a curve may be off in one go; all in all a four-thousandth.
pub const FINE: f64 = 1.0 / 16_000.0;
/// Bytes of all poses and forces, and frames, at most.
const FILM: usize = 520_000;
const FRAMES: [usize; 2] = [60, 10_000];
/// The part of the room it moves in by which a body may be off, and the part of a clearance.
const PLACE: f64 = 1.0 / 4000.0;
const CLEARANCE: f64 = 1.0 / 60.0;
/// The part of the largest force by which the forces may be off.
const FORCE: f64 = 1.0 / 100.0;
/// Arrows of one frame, at most: the largest.
const ARROWS: usize = 60;
/// Points of the ledger, and of the step size.
const LEDGER: usize = 1500;
const STEPS: usize = 2500;
/// Heats that are shown one by one.
const HEATS: usize = 12;
/// Numbers of grains that are kept on the way.
const GRAINS: usize = 75_000;
/// More grains than this are shown at the end only, if at all.
const CROWD: usize = 150_000;
/// Stretches in slow motion, and the part of the time that they may fill.
const SLOW: usize = 60;
const SLOW_PART: f64 = 0.3;
/// Pairs of channels in a section.
const PAIRS: usize = 6;

/// A film being taken.
#[derive(Clone, Debug)]
pub struct Film {
    poses: Thin<Vec<Arrow>>,
    row: Vec<f64>,
    bodies: usize,
    peak: f64,
    series: Vec<Thin>,
    columns: Vec<Column>,
    left_out: usize,
    ledger: Thin,
    accounts: Vec<String>,
    steps: Thin,
    section: Option<(String, Section)>,
    grains: Vec<Crowd>,
    /// How many grains there are in all groups: they are kept at the same times.
    crowd: usize,
    balances: bool,
}

/// The grains of one group.
#[derive(Clone, Debug)]
struct Crowd {
    name: String,
    radii: Vec<f64>,
    /// Of the frames that are kept: times, and x and y grain by grain.
    t: Vec<f64>,
    xy: Vec<f64>,
    last: (f64, Vec<f64>),
    every: u64,
    seen: u64,
}

impl Film {
    /// A film of what a system will do.
    pub fn new(system: &System) -> Self {
        let model = system.model();
        let bodies = model.bodies.len();
        let columns = Column::of(model, system.channels());
        let mut columns: Vec<Column> = columns.into_iter().skip(1).collect();
        let left_out = columns.len().saturating_sub(SERIES);
        columns.truncate(SERIES);
        let each = POINTS / columns.len().max(1);
        let each = each.clamp(POINTS_EACH[0], POINTS_EACH[1]);
        let thin = || Thin::new(vec![Slack::Part(FINE)], each);
        let mut slack = Vec::with_capacity(3 * bodies + 1);
        let near = CLEARANCE * least_play(model);
        for body in &model.bodies {
            let place = Slack::Within(PLACE, near);
            // What the angle moves at the far end of the body is as much as the place may be off.
            let turn = near.min(PLACE * 4.0 * reach(body)) / reach(body);
            slack.extend([place, place, Slack::Fixed(turn.min(0.01))]);
        }
        slack.push(Slack::Part(FORCE));
        let frames = (FILM / (8 + 12 * bodies)).clamp(FRAMES[0], FRAMES[1]);
        let accounts = system.accounts();
        let mut balances = vec![Slack::Shared(1.0 / 2000.0); 5 + accounts.len()];
        balances.push(Slack::Part(1.0 / 50.0));
        let span = [model.simulation.start, model.simulation.end];
        let pairs = pairs(&columns);
        let found = model.drivers.iter().find_map(|entry| {
            let period = period(entry, &model.simulation)?;
            Some((format!("driver.{}", entry.name), period))
        });
        let section = found.filter(|_| !pairs.is_empty()).map(|(name, period)| {
            let pairs = pairs.into_iter().take(PAIRS).collect();
            (name, Section::new(period, span, pairs))
        });
        let grains = model.of_grains().map(|group| Crowd {
            name: group.name.clone(),
            radii: Vec::new(),
            t: Vec::new(),
            xy: Vec::new(),
            last: (f64::NAN, Vec::new()),
            every: 1,
            seen: 0,
        });
        Self {
            poses: Thin::new(slack, frames),
            row: Vec::with_capacity(3 * bodies + 1),
            bodies,
            peak: 0.0,
            series: columns.iter().map(|_| thin()).collect(),
            columns,
            left_out,
            ledger: Thin::new(balances, LEDGER),
            accounts,
            steps: Thin::new(vec![Slack::Fixed(0.01)], STEPS),
            section,
            grains: grains.collect(),
            crowd: model.of_grains().map(GroupEntry::count).sum(),
            balances: model.simulation.analysis != Analysis::Kinematic,
        }
    }

    /// The mechanism at an instant.
    pub fn frame(&mut self, frame: &Frame<'_>) {
        let t = frame.t;
        let happens = matches!(frame.moment, When::Before | When::After);
        self.row.clear();
        for pose in frame.poses {
            let [x, y] = pose.position;
            self.row.extend([x, y, pose.angle]);
        }
        let size = |arrow: &Arrow| math::sqrt(square(arrow.force));
        let forces = frame.arrows.iter().map(size);
        self.peak = forces.clone().fold(self.peak, f64::max);
        self.row.push(forces.sum());
        let mut arrows = frame.arrows.to_vec();
        if arrows.len() > ARROWS {
            let larger = |a: &Arrow, b: &Arrow| square(b.force).total_cmp(&square(a.force));
            arrows.sort_by(larger);
            arrows.truncate(ARROWS);
        }
        self.poses.push(t, &self.row, happens, arrows);
        for (thin, value) in self.series.iter_mut().zip(frame.values) {
            thin.push(t, &[*value], false, ());
        }
        if self.balances {
            let balance = &frame.balance;
            self.row.clear();
            self.row.extend([
                balance.kinetic,
                balance.gravitational,
                balance.elastic,
                balance.driver_work,
                balance.load_work,
            ]);
            self.row.extend_from_slice(balance.heats);
            self.row.push(balance.residual);
            self.ledger.push(t, &self.row, false, ());
        }
        if frame.step > 0.0 {
            self.steps.push(t, &[math::log10(frame.step)], false, ());
        }
        if let Some((_, section)) = &mut self.section {
            section.see(t, frame.values);
        }
    }

    /// All grains of a group at an instant.
    pub fn grains(&mut self, t: f64, grains: &Snapshot<'_>) {
        let all = self.crowd;
        let Some(crowd) = self.grains.get_mut(grains.group) else {
            return;
        };
        let n = grains.positions.len();
        if all > CROWD {
            return;
        }
        if crowd.radii.is_empty() {
            crowd.radii = grains.radii.to_vec();
        }
        let xy = grains.positions.iter().flat_map(|[x, y, _]| [*x, *y]);
        if crowd.seen % crowd.every == 0 && (crowd.t.len() + 2) * 2 * all <= 2 * GRAINS {
            crowd.t.push(t);
            crowd.xy.extend(xy.clone());
            if crowd.t.len() * 2 * all > GRAINS {
                crowd.halve(2 * n);
            }
        }
        crowd.seen += 1;
        crowd.last.0 = t;
        crowd.last.1.clear();
        crowd.last.1.extend(xy);
    }

    /// `film.json`.
    pub fn finish(self, system: &System, outcome: &Outcome) -> Value {
        let model = system.model();
        let Film {
            mut poses,
            bodies,
            peak,
            series,
            columns,
            left_out,
            ledger,
            accounts,
            steps,
            section,
            grains,
            ..
        } = self;
        let arrows = |kept: &Kept<Vec<Arrow>>| kept.carried.iter().map(Vec::len).sum::<usize>();
        let mut kept = poses.clone().finish();
        for _ in 0..8 {
            let bytes = kept.t.len() * (8 + 12 * bodies) + 20 * arrows(&kept);
            if bytes <= FILM {
                break;
            }
            let fewer = kept.t.len() as f64 * 0.9 * FILM as f64 / bytes as f64;
            poses.set_most(fewer as usize);
            kept = poses.clone().finish();
        }
        let mut curves = Vec::new();
        for (thin, column) in series.into_iter().zip(&columns) {
            let mut kept = thin.finish();
            peaks(column, model, &outcome.contacts, &mut kept);
            curves.push(json!({
                "name": column.name,
                "unit": column.unit,
                "t": f64s(kept.t),
                "v": f32s(kept.rows),
            }));
        }
        let kept_steps = steps.finish();
        let work = outcome.work.iter().map(|part| {
            json!({
                "phase": part.name,
                "steps": part.steps,
                "evaluations": part.evaluations,
            })
        });
        let s = &outcome.statistics;
        json!({
            "format": FORMAT,
            "scene": scene(model),
            "film": film(&kept, bodies, peak, system, outcome),
            "series": curves,
            "series_left_out": left_out,
            "ledger": balances(ledger.finish(), &accounts),
            "loops": loops(&outcome.contacts),
            "section": section.and_then(|(driver, section)| sections(&driver, &section, &columns)),
            "solver": {
                "t": f64s(kept_steps.t),
                "h": f32s(kept_steps.rows.iter().map(|h| math::powf(10.0, *h))),
                "rejected": s.steps_rejected,
                "accepted": s.steps_accepted,
                "evaluations": s.rhs_evaluations,
                "work": work.collect::<Vec<_>>(),
                "events": s.events,
            },
            "laws": laws(model),
            "grains": crowds(grains),
        })
    }
}

fn square([x, y]: [f64; 2]) -> f64 {
    x * x + y * y
}

/// The least clearance of any joint with play, m; infinite if there is none.
fn least_play(model: &Model) -> f64 {
    let plays = model.contacts.iter().filter(|entry| entry.joint.is_some());
    let plays = plays.filter_map(|entry| entry.contact.play());
    plays.fold(f64::INFINITY, f64::min)
}

/// How far a body reaches from its mass centre, m.
fn reach(body: &crate::model::BodyEntry) -> f64 {
    let points = body.points.iter().map(|point| point.at);
    let ends = body
        .shapes
        .iter()
        .filter(|entry| entry.shape.kind() != "half-plane");
    let ends = ends.flat_map(|entry| entry.shape.outline(16));
    let far = points.chain(ends).map(square).fold(0.0, f64::max);
    // A body of which nothing is known reaches as far as its inertia says.
    let own = body.body.inertia() / body.body.mass();
    let far = math::sqrt(far.max(if own.is_finite() { own } else { 0.0 }));
    if far > 0.0 { far } else { 1.0 }
}

/// Pairs of a position and its velocity among the channels.
fn pairs(columns: &[Column]) -> Vec<[usize; 2]> {
    let place = |name: String| columns.iter().position(|column| column.name == name);
    let of = |(i, column): (usize, &Column)| {
        let (front, last) = column.name.rsplit_once('.')?;
        let rate = match last {
            "x" => "vx",
            "y" => "vy",
            "angle" => "omega",
            _ => return None,
        };
        Some([i, place(format!("{front}.{rate}"))?])
    };
    columns.iter().enumerate().filter_map(of).collect()
}

/// The force of a contact has its largest value between two steps: it is known, and put where it belongs.
fn peaks(column: &Column, model: &Model, contacts: &[Contacted], kept: &mut Kept) {
    let Some(element) = column.name.strip_suffix(".force") else {
        return;
    };
    let single = |contacted: &&Contacted| {
        let entry = contacted.entry.and_then(|i| model.contacts.get(i));
        contacted.element == element && entry.is_some_and(|entry| entry.contact.slots() == 1)
    };
    let found = contacts.iter().filter(single).map(|c| c.course.peak);
    let mut found: Vec<[f64; 2]> = found.filter(|peak| peak[0] > 0.0).collect();
    if found.len() + kept.t.len() > POINTS_EACH[1] {
        let largest = found.iter().map(|peak| peak[0]).fold(0.0, f64::max);
        found.retain(|peak| peak[0] > 0.5 * largest);
        // The largest first: whoever is left out is lower than those that stay.
        found.sort_by(|a, b| b[0].total_cmp(&a[0]));
        found.truncate(POINTS_EACH[1] / 4);
    }
    let known: Vec<f64> = kept.t.clone();
    let mut all: Vec<(f64, f64)> = kept
        .t
        .iter()
        .copied()
        .zip(kept.rows.iter().copied())
        .collect();
    for [force, t] in found {
        let at = known.partition_point(|known| *known < t);
        // Only between two points that are lower: it is a peak.
        let value = |i: usize| kept.rows.get(i).copied().unwrap_or(f64::NAN);
        if at > 0 && at < known.len() && force > value(at - 1) && force > value(at) {
            all.push((t, force));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    (kept.t, kept.rows) = all.into_iter().unzip();
}

fn film(
    kept: &Kept<Vec<Arrow>>,
    bodies: usize,
    peak: f64,
    system: &System,
    outcome: &Outcome,
) -> Value {
    let width = 3 * bodies + 1;
    let rows = kept.rows.chunks_exact(width);
    let poses = rows.flat_map(|row| row.get(..3 * bodies).unwrap_or_default());
    let mut starts = vec![0.0];
    let mut count = 0;
    for arrows in &kept.carried {
        count += arrows.len();
        starts.push(count as f64);
    }
    let arrows = || kept.carried.iter().flatten();
    json!({
        "t": f64s(kept.t.iter().copied()),
        "poses": f32s(poses.copied()),
        "forces": {
            "start": f64s(starts),
            "contact": arrows().map(|arrow| arrow.contact).collect::<Vec<_>>(),
            "x": f32s(arrows().map(|arrow| arrow.point[0])),
            "y": f32s(arrows().map(|arrow| arrow.point[1])),
            "fx": f32s(arrows().map(|arrow| arrow.force[0])),
            "fy": f32s(arrows().map(|arrow| arrow.force[1])),
        },
        "peak": peak,
        "slow": slow(&outcome.contacts, [system.start().0, outcome.t]),
    })
}

/// Stretches of time around the hardest impacts, merged where they meet.
fn slow(contacts: &[Contacted], [start, end]: [f64; 2]) -> Vec<[f64; 2]> {
    let span = end - start;
    let mut hard: Vec<&Contacted> = contacts
        .iter()
        .filter(|c| c.episode.approach > 0.0)
        .collect();
    hard.sort_by(|a, b| b.course.peak[0].total_cmp(&a.course.peak[0]));
    let largest = hard.first().map_or(0.0, |c| c.course.peak[0]);
    let mut stretches: Vec<[f64; 2]> = Vec::new();
    for contacted in hard.into_iter().take(4 * SLOW) {
        let episode = &contacted.episode;
        let length = episode.end - episode.start;
        if length > 0.05 * span || contacted.course.peak[0] < 0.05 * largest {
            continue;
        }
        let pad = 1.5 * length;
        let mut more = stretches.clone();
        more.push([
            (episode.start - pad).max(start),
            (episode.end + pad).min(end),
        ]);
        let more = merged(more);
        let filled: f64 = more.iter().map(|[from, to]| to - from).sum();
        if filled > SLOW_PART * span || more.len() > SLOW {
            break;
        }
        stretches = more;
    }
    stretches
}

fn merged(mut stretches: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    stretches.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut merged: Vec<[f64; 2]> = Vec::new();
    for [from, to] in stretches {
        match merged.last_mut() {
            Some(last) if from <= last[1] => last[1] = last[1].max(to),
            _ => merged.push([from, to]),
        }
    }
    merged
}

/// The ledger: the heats that matter one by one, the others together.
fn balances(kept: Kept, accounts: &[String]) -> Value {
    if kept.t.is_empty() {
        return Value::Null;
    }
    let width = 6 + accounts.len();
    let column = |i: usize| {
        kept.rows
            .chunks_exact(width)
            .map(move |row| row.get(i).copied().unwrap_or(0.0))
    };
    let size = |i: usize| column(i).map(f64::abs).fold(0.0, f64::max);
    let mut parts = Vec::new();
    let named = [
        "kinetic",
        "gravitational",
        "elastic",
        "driver_work",
        "load_work",
    ];
    for (i, name) in named.into_iter().enumerate() {
        if i < 3 || size(i) > 0.0 {
            parts.push(json!({ "name": name, "kind": if i < 3 { "stock" } else { "work" }, "v": f32s(column(i)) }));
        }
    }
    let mut heats: Vec<usize> = (0..accounts.len()).filter(|i| size(5 + i) > 0.0).collect();
    heats.sort_by(|a, b| size(5 + b).total_cmp(&size(5 + a)));
    let others = heats.split_off(HEATS.min(heats.len()));
    for i in heats {
        let name = accounts.get(i).map_or("", String::as_str);
        let name = format!("dissipated.{name}");
        parts.push(json!({ "name": name, "kind": "heat", "v": f32s(column(5 + i)) }));
    }
    if !others.is_empty() {
        let sum = kept.rows.chunks_exact(width).map(|row| {
            let heat = |i: &usize| row.get(5 + i).copied().unwrap_or(0.0);
            others.iter().map(heat).sum::<f64>()
        });
        parts.push(json!({ "name": "dissipated.others", "kind": "heat", "v": f32s(sum) }));
    }
    let scale = (0..width - 1).map(|i| {
        let (low, high) = column(i).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
            (l.min(x), h.max(x))
        });
        high - low
    });
    json!({
        "t": f64s(kept.t.iter().copied()),
        "parts": parts,
        "residual": f32s(column(width - 1)),
        "scale": scale.filter(|s| s.is_finite()).fold(0.0, f64::max),
    })
}

/// Force and indentation of the contacts that were followed point by point.
fn loops(contacts: &[Contacted]) -> Vec<Value> {
    let followed = contacts.iter().enumerate();
    let followed = followed.filter(|(_, contacted)| contacted.samples.len() > 2);
    let one = |(i, contacted): (usize, &Contacted)| {
        let samples = || contacted.samples.iter();
        let start = contacted.episode.start;
        json!({
            "episode": i,
            "t": f32s(samples().map(|s| s.t - start)),
            "delta": f32s(samples().map(|s| s.delta)),
            "rate": f32s(samples().map(|s| s.rate)),
            "force": f32s(samples().map(|s| s.force)),
        })
    };
    followed.map(one).collect()
}

fn sections(driver: &str, section: &Section, columns: &[Column]) -> Option<Value> {
    let count = section.pairs.len();
    let name = |i: usize| columns.get(i).map_or("", |column| column.name.as_str());
    let instants = section.points.len() / count.max(1);
    // A handful of points shows nothing.
    if instants < 5 {
        return None;
    }
    let points = section.pairs.iter().enumerate().map(|(k, [x, v])| {
        let own = || section.points.iter().skip(k).step_by(count);
        json!({
            "name": format!("{} × {}", name(*x), name(*v)),
            "x_name": name(*x),
            "v_name": name(*v),
            "x": f32s(own().map(|point| point[0])),
            "v": f32s(own().map(|point| point[1])),
        })
    });
    Some(json!({
        "driver": driver,
        "period": section.period,
        "points": points.collect::<Vec<_>>(),
    }))
}

impl Crowd {
    /// Every second frame goes.
    fn halve(&mut self, width: usize) {
        let xy = self.xy.chunks_exact(width.max(1)).step_by(2).flatten();
        self.xy = xy.copied().collect();
        self.t = self.t.iter().copied().step_by(2).collect();
        self.every *= 2;
    }
}

fn crowds(crowds: Vec<Crowd>) -> Value {
    let times = crowds.first().map(|crowd| {
        let mut t = crowd.t.clone();
        if t.last() != Some(&crowd.last.0) {
            t.push(crowd.last.0);
        }
        t
    });
    let Some(times) = times.filter(|times| times.iter().all(|t| t.is_finite())) else {
        return Value::Null;
    };
    let groups = crowds.into_iter().map(|mut crowd| {
        if crowd.t.last() != Some(&crowd.last.0) {
            crowd.xy.append(&mut crowd.last.1);
        }
        let first = crowd.radii.first().copied().unwrap_or(0.0);
        let radius = match crowd.radii.iter().all(|r| *r == first) {
            true => json!(first),
            false => f32s(crowd.radii.iter().copied()),
        };
        json!({
            "name": crowd.name,
            "count": crowd.radii.len(),
            "radius": radius,
            "xy": f32s(crowd.xy),
        })
    });
    json!({ "t": f64s(times), "groups": groups.collect::<Vec<_>>() })
}
