//! What should be known of the data before a fit is believed?
//!
//! What a table shows by itself (a record that begins late, a loop that runs backwards, heights that grow) is told as it is seen. What may be wrong with it otherwise (a zero that is off, a bounce that was missed, noise that does not grow
//! as it was taken to) is put to the test: the fit is made again with that in it, and it is told if it is clearly better.

use crate::card::Role;
use crate::math;
use crate::model::units::pretty;

use super::data::Data;
use super::kind::Kind;
use super::outcome::{FAIR, ranges};
use super::rank::{criteria, rank};
use super::search::one;
use super::{Candidate, Curve, Fit, Loss, Noise, Setup, Values, forward, least};

/// A record of force whose first sample is more than this share of the peak begins late.
const LATE: f64 = 0.2;
/// Samples beside a contact that tell the zero of the force, at least; and by how many of its own standard errors it must be off.
const QUIET: usize = 6;
const OFF: f64 = 4.0;
/// So many rows with the largest force, one after the other, were cut off.
const CUT: usize = 4;
/// A loop gives energy if that is more than so many times its standard error, and than this share of the work on the way in.
const SURELY: f64 = 5.0;
const GAIN: f64 = 0.02;
/// A zero seems to be off if that is better by more than this in the corrected criterion: by chance either of two zeros is in one record of thirty-five.
const ZERO: f64 = 4.0;
/// Largest rates that are this many times the speed of approach that was given are not of that impact.
const RATES: [f64; 2] = [0.2, 1.5];
/// A rate may differ from the slope of the indentation over time by this share of it.
const SIZE: f64 = 0.3;
/// Places in a series at which a bounce may be missing: those that are looked at, at most, and bounces that are told.
const PLACES: usize = 40;
const MOST_MISSED: usize = 4;
/// In how many series, at most, chance may make a bounce seem to be missing.
const BY_CHANCE: f64 = 0.05;
/// How noise grows is told by the data if one way is this much likelier than the other, as a logarithm.
const DOUBTFUL: f64 = 2.0;
/// A way in which noise may grow is ruled out if the other one is twenty times as likely, as a logarithm.
const RULED_OUT: f64 = 3.0;
/// From how many starts a plain curve is sought where only a question about the data depends on it.
const STARTS: usize = 2;

/// What should be known of the data, whose instants are those since `clock`, s; `asked` is how noise grows, if that was said.
pub(super) fn notes(
    data: &Data,
    setup: &Setup,
    clock: f64,
    asked: Option<Noise>,
    fits: &[Fit],
) -> Vec<String> {
    let mut notes = Vec::new();
    let best = fits.first();
    if !data.unused.is_empty() {
        notes.push(format!("columns not used: {}", data.unused.join(", ")));
    }
    if data.kind.start().is_none() && (setup.frees("start") || setup.start != 0.0) {
        notes.push(format!("{} have no `start`: it is not used", data.kind));
    }
    if data.kind.is_restitution() && setup.frees("offset") {
        notes.push(format!("{} have no `offset`: it is not used", data.kind));
    }
    let cut = clipped(data);
    let whole = cut.is_none();
    notes.extend(cut);
    if data.kind == Kind::TimeForce && whole {
        let off = best.and_then(|best| offset(best, data, setup));
        // What was sought is taken off as it was found.
        let sought = best.and_then(|best| best.parameters.iter().find(|p| p.name == "offset"));
        let ground = sought.map(|p| p.value).or(off.as_ref().map(|off| off.0));
        let at_rest = off.is_none();
        notes.extend(off.map(|off| off.1));
        if !setup.frees("start") {
            let elsewhere = touch(data, setup, clock, ground.unwrap_or(0.0));
            let plain = at_rest && elsewhere.is_none();
            notes.extend(elsewhere);
            if let (true, Some(best)) = (plain, best) {
                notes.extend(zero(best, data, setup, clock));
            }
        }
    }
    if data.kind == Kind::ForceIndentation && data.rate.is_none() {
        notes.push(match (setup.mass, setup.speed) {
            (Some(_), Some(_)) => "without a rate the points are taken as the loop of one impact of that mass and speed, in the order of time, with noise in both columns; those at its tip, where it turns within the noise, are not compared".into(),
            _ => "without a rate the points are taken as measured slowly, so that no damper shows. Hint: a column `rate [m/s]`, or --mass and --speed of the impact".into(),
        });
    }
    if forward::is_loop(data, setup) && data.x.windows(2).all(|w| w[0] <= w[1]) {
        notes.push("the indentation never falls: all points are taken as on the way in. Hint: rows in the order of time, if the way back is among them".into());
    }
    if data
        .rate
        .as_ref()
        .is_some_and(|rate| rate.iter().all(|v| *v <= 0.0))
    {
        notes.push("the rate is nowhere positive: all points are taken as on the way back. Hint: the rate is positive on the way in".into());
    }
    let turned = backwards(data);
    if turned.is_none()
        && whole
        && data.kind == Kind::ForceIndentation
        && !setup.frees("start")
        && let Some(best) = best
    {
        notes.extend(zero(best, data, setup, 0.0));
    }
    notes.extend(turned);
    notes.extend(too_fast(data, setup));
    if data.kind == Kind::Speeds {
        let gains = data.y.iter().zip(&data.x).filter(|(y, x)| y > x).count();
        if gains > 0 {
            notes.push(format!(
                "{gains} of {} pairs rebound faster than they came, which no law of contact does: columns exchanged, speeds of something that is driven, or noise?",
                data.y.len()
            ));
        }
    }
    if data.kind == Kind::Heights {
        let grow = data.y.windows(2).filter(|h| h[1] > h[0]).count();
        if grow > 0 {
            notes.push(format!(
                "{grow} of {} bounces are higher than the one before, which no law of contact makes them: heights out of order, those along a track (one row a bounce is wanted, its highest point), a floor that moves, or noise?",
                data.y.len()
            ));
        }
    }
    let growths = match (asked, data.kind) {
        (Some(noise), _) => vec![noise],
        (None, Kind::Heights) => vec![Noise::Relative, Noise::Absolute],
        (None, _) => vec![Noise::Absolute],
    };
    notes.extend(missed(data, setup, &growths));
    if let Some(best) = best {
        if !best.outliers.is_empty() {
            notes.push(format!(
                "{} of {} points are more than four times the noise off the best curve ({}): {}",
                best.outliers.len(),
                data.y.len(),
                best.id,
                ranges(&best.outliers)
            ));
        }
        if let Some(unlike) = unlike_noise(&best.residuals) {
            notes.push(format!(
                "the residuals of the best curve ({}) {unlike}: no law that was tried follows these data to their noise, so that intervals are too narrow",
                best.id
            ));
        }
        let shown = setup.noise_of(data) == Noise::Absolute && !data.kind.is_restitution();
        // A curve that goes elsewhere leaves most over where there is most.
        if shown && best.explained >= FAIR && grows(&best.residuals, &best.fitted) {
            notes.push("the noise grows with what is measured. Hint: --noise relative".into());
        }
    }
    notes
}

/// That the rate is not that of an impact at the speed of approach that was given.
fn too_fast(data: &Data, setup: &Setup) -> Option<String> {
    let (rate, speed) = (data.rate.as_ref()?, setup.speed?);
    let fastest = rate.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let [least, most] = RATES;
    let of_it = fastest / speed;
    (!(least..=most).contains(&of_it)).then(|| format!(
        "the rate is {} at its largest, {} times the speed of approach that was given ({}): numbers of dampers do not hold. Hint: the units of the rate and of --speed",
        pretty(fastest, "m/s", 4),
        pretty(of_it, "", 3),
        pretty(speed, "m/s", 4)
    ))
}

/// That a record of force begins elsewhere than touch is taken to be; `ground` is what it shows where nothing touches, N, and `clock` what its clock shows at 0 s here.
fn touch(data: &Data, setup: &Setup, clock: f64, ground: f64) -> Option<String> {
    let instant = |t: f64| pretty(t + clock, "s", 4);
    let [at, end] = forward::loud(data, ground);
    let first = [&data.x, &data.y].map(|list| list.first().copied().unwrap_or(0.0));
    let peak = data.y.iter().copied().fold(0.0, f64::max) - ground;
    let share = (first[1] - ground) / peak;
    if share > LATE && first[0] - setup.start < 0.05 * (end - at) {
        return Some(format!(
            "the record begins with {:.0} % of its peak at {}, as if contact had begun before, but touch is taken at {}. Hint: --start TIME, or --free start to have it found",
            100.0 * share,
            instant(first[0]),
            instant(setup.start)
        ));
    }
    let apart = at - setup.start > 0.25 * (end - at) || at < setup.start;
    apart.then(|| format!(
        "the force begins at about {}, but touch is taken at {}. Hint: --start TIME, or --free start to have it found",
        instant(at),
        instant(setup.start)
    ))
}

/// That a force stands at its largest for several samples in a row, to the last digit: something cut it off.
fn clipped(data: &Data) -> Option<String> {
    if data.kind.is_restitution() {
        return None;
    }
    let largest = data.y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut runs = data.y.chunk_by(|a, b| (*a == largest) == (*b == largest));
    let longest = runs
        .by_ref()
        .filter(|run| run.first() == Some(&largest))
        .map(<[f64]>::len)
        .max()
        .unwrap_or(0);
    (longest >= CUT && largest > 0.0).then(|| format!(
        "the force stands at its largest, {}, in {longest} rows one after the other: the sensor, or its amplifier, seems to have been at its end, and numbers and intervals do not hold. Hint: take those rows out",
        pretty(largest, "N", 4)
    ))
}

/// The best law once more, with more of the experiment's own numbers sought.
fn again(best: &Fit, data: &Data, setup: &Setup, free: &[&str]) -> Option<Fit> {
    let mut seeking = setup.clone();
    for name in free {
        if !seeking.frees(name) {
            seeking.free.push((*name).into());
        }
    }
    one(best.candidate, &best.given, data, &seeking).ok()
}

/// A number that was found, with its interval.
fn known(fit: &Fit, name: &str) -> Option<(f64, [f64; 2])> {
    let found = fit.parameters.iter().find(|p| p.name == name)?;
    Some((found.value, found.interval?))
}

/// What a record of force shows where nothing touches, N, and in words, if that is not zero. Which samples those are is told by the best law with both the offset and the instant of touch sought.
fn offset(best: &Fit, data: &Data, setup: &Setup) -> Option<(f64, String)> {
    if setup.frees("offset") {
        return None;
    }
    let seeking = again(best, data, setup, &["offset", "start"])?;
    // A law that does not describe the force says nothing of where there is none.
    if !(seeking.explained >= FAIR) {
        return None;
    }
    let (value, [low, high]) = known(&seeking, "offset")?;
    let peak = data.y.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
    let beside = seeking.fitted.iter().zip(&data.y);
    let beside = beside.filter(|(fitted, _)| (**fitted - value).abs() < 1e-9 * peak);
    let mut quiet: Vec<f64> = beside.map(|(_, y)| *y).collect();
    quiet.sort_by(f64::total_cmp);
    // The middle one of normal noise has a standard error that is √(π/2) times that of the mean.
    let error = math::sqrt(0.5 * core::f64::consts::PI / quiet.len().max(1) as f64) * seeking.noise;
    let middle = quiet.get(quiet.len() / 2).copied().unwrap_or(0.0);
    if quiet.len() < QUIET || !(middle.abs() > OFF * error) || low <= 0.0 && 0.0 <= high {
        return None;
    }
    Some((
        value,
        format!(
            "where nothing touches ({} samples) the force is not 0 but about {} (95 %: {} to {}): the zero of the column is off, and numbers and intervals do not hold. Hint: --free offset has it found, or take it off the column",
            quiet.len(),
            pretty(value, "N", 4),
            pretty(low, "N", 4),
            pretty(high, "N", 4),
        ),
    ))
}

/// What an error of the zero of the indentation or of the instant of touch, or of the zero of the force, would do to the best law, or that there seems to be one: it is fitted again with each sought. Instants are those since `clock`, s.
fn zero(best: &Fit, data: &Data, setup: &Setup, clock: f64) -> Option<String> {
    let timed = data.kind == Kind::TimeForce;
    let unit = if timed { "s" } else { "m" };
    let start = setup.start + clock;
    let mut all = vec![best.clone()];
    for name in ["start", "offset"] {
        if !setup.frees(name) {
            all.extend(again(best, data, setup, &[name]));
        }
    }
    rank(&mut all, setup, data);
    let plain = |fit: &&Fit| fit.parameters.len() == best.parameters.len();
    let behind = all.iter().find(plain).map_or(0.0, |fit| fit.delta);
    if behind > ZERO
        && let Some(first) = all.first()
    {
        let otherwise = match (known(first, "start"), known(first, "offset")) {
            (Some((value, ends)), _) => {
                let at = |x: f64| pretty(x + clock, unit, 4);
                let [low, high] = ends.map(at);
                let (what, fault) = match timed {
                    true => ("touch is", "touch is elsewhere"),
                    false => ("the indentation is zero", "the zero of that column is off"),
                };
                let now = pretty(start, unit, 4);
                Some((
                    format!(
                        "{what} not at {now} but at {} (95 %: {low} to {high})",
                        at(value)
                    ),
                    fault,
                    "start",
                ))
            }
            (None, Some((value, ends))) => {
                let [low, high] = ends.map(|x| pretty(x, "N", 4));
                let words = format!(
                    "the force at rest is not 0 N but {} (95 %: {low} to {high})",
                    pretty(value, "N", 4)
                );
                Some((words, "the zero of that column is off", "offset"))
            }
            _ => None,
        };
        if let Some((words, fault, name)) = otherwise {
            return Some(format!(
                "the best law ({}) fits better, by {behind:.1} in corrected AIC, if {words}: {fault}, or the law is another one, and numbers and intervals do not hold. Hint: --free {name} has it found",
                best.id,
            ));
        }
    }
    let exponent = match best.candidate {
        Candidate::Law(card) => card.parameters.iter().find(|p| {
            p.role == Role::Exponent && best.parameters.iter().any(|found| found.name == p.name)
        }),
        Candidate::Curve(_) => None,
    };
    exponent.map(|p| {
        let (what, error) = match timed {
            true => ("touch is exactly at", "that instant"),
            false => ("the indentation at touch is exactly", "the zero"),
        };
        format!(
            "intervals suppose that {what} {}: `{}` and the stiffness answer for an error of {error}. Hint: --free start has it found",
            pretty(start, unit, 4),
            p.name
        )
    })
}

/// The energy of a loop, taken round in the order of its rows, J.
struct Around {
    /// The area within it: what is lost.
    lost: f64,
    /// The standard error of that.
    error: f64,
    /// The work on the way in.
    taken: f64,
}

impl Around {
    /// `None` where the rows do not go in and back once: those in no order at all are no loop.
    fn new(data: &Data) -> Option<Self> {
        if data.kind != Kind::ForceIndentation || data.x.len() < 8 {
            return None;
        }
        let (x, y) = (&data.x, &data.y);
        let least = x.iter().copied().fold(f64::INFINITY, f64::min);
        let above: Vec<f64> = x.iter().map(|x| x - least).collect();
        let smooth = super::usual(data, &above);
        let most = smooth.iter().copied().fold(0.0, f64::max);
        let turn = smooth.iter().position(|x| *x == most)?;
        let way: f64 = smooth.windows(2).map(|w| (w[1] - w[0]).abs()).sum();
        let ends = [smooth.first()?, smooth.last()?].map(|end| most - end);
        if way > 2.6 * most || ends.iter().any(|end| *end < 0.3 * most) {
            return None;
        }
        let step = |i: usize| {
            let j = (i + 1) % x.len();
            0.5 * (y[i] + y[j]) * (x[j] - x[i])
        };
        let ones = vec![1.0; x.len()];
        let noise = [x, y].map(|column| super::path::rough(column, &ones));
        // An error of one number moves two sides of the polygon.
        let square = |i: usize| {
            let (before, after) = ((i + x.len() - 1) % x.len(), (i + 1) % x.len());
            let by = [y[after] - y[before], x[after] - x[before]];
            let each = [0, 1].map(|k| 0.5 * noise[k] * by[k]);
            each[0] * each[0] + each[1] * each[1]
        };
        Some(Self {
            lost: (0..x.len()).map(step).sum(),
            error: math::sqrt((0..x.len()).map(square).sum()),
            taken: (0..turn).map(step).sum(),
        })
    }

    /// Whether so much energy is more than noise makes of a loop that loses none.
    fn surely(&self, energy: f64) -> bool {
        energy > (SURELY * self.error).max(GAIN * self.taken.abs())
    }
}

/// That a loop gives energy, as it does if its rows are in the reverse order of time, or that its rate is not that of its indentation.
fn backwards(data: &Data) -> Option<String> {
    let around = Around::new(data);
    let gives = around.as_ref().filter(|around| around.surely(-around.lost));
    let against = data.rate.as_ref().and_then(|rate| along(data, rate));
    if let (Some(share), Some(_)) = (against, &data.instants) {
        return Some(match share < 0.0 {
            true => "the rate has the wrong sign: it is negative where the indentation grows with time. Hint: multiply the column by -1".into(),
            false => format!(
                "the rate is not that of the indentation, which changes with time by {} times as much: numbers of dampers do not hold. Hint: the units of rate, time and indentation",
                pretty(share, "", 3)
            ),
        });
    }
    match (against, gives, around.as_ref()) {
        (Some(_), None, Some(around)) if around.surely(around.lost) => Some("the rate has the wrong sign: it is negative on the way in, where the indentation grows from row to row and the force is the larger. Hint: multiply the column by -1".into()),
        (Some(_), None, Some(_)) => Some("the rate is negative where the indentation grows from row to row: either its sign or the order of the rows is turned round. Hint: multiply the column by -1, or put the rows in the order of time".into()),
        (Some(_), Some(_), _) => Some("the rows are turned round: the indentation grows from row to row where its rate is negative, and the force is the larger where that is positive. Hint: rows in the order of time".into()),
        (_, Some(around), _) => Some(format!(
            "the force on the way back is above that on the way in: the contact would give {}, where it takes {} on the way in, and none does that. Hint: rows in the order of time, if they are turned round{}",
            pretty(-around.lost, "J", 3),
            pretty(around.taken, "J", 3),
            if data.rate.is_some() { ", and a rate that is positive on the way in" } else { "" },
        )),
        _ => None,
    }
}

/// How many times the rate the slope of the indentation over time is, if that is surely not once; without instants −1 if the indentation surely falls from row to row where the rate is positive.
fn along(data: &Data, rate: &[f64]) -> Option<f64> {
    let steps = data.x.windows(2).zip(rate.windows(2)).enumerate();
    let pairs: Vec<[f64; 2]> = steps
        .map(|(i, (x, rate))| {
            let time = match data.instants.as_ref().and_then(|t| t.get(i..i + 2)) {
                Some(t) => t[1] - t[0],
                None => 1.0,
            };
            [0.5 * (rate[0] + rate[1]) * time, x[1] - x[0]]
        })
        .collect();
    let sum = |of: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>();
    // A straight line through the origin, with the standard error of its slope.
    let squares = sum(&|[by, _]| by * by);
    let slope = sum(&|[by, step]| by * step) / squares;
    let left = sum(&|[by, step]| (step - slope * by) * (step - slope * by));
    let error = math::sqrt(left / (pairs.len().saturating_sub(1).max(1) as f64 * squares));
    let off = match data.instants {
        Some(_) => (slope - 1.0).abs() > SIZE && (slope - 1.0).abs() > SURELY * error,
        None => -slope > SURELY * error,
    };
    (off && slope.is_finite()).then_some(if data.instants.is_some() { slope } else { -1.0 })
}

/// The plain curves of restitution put to the data.
fn plain(data: &Data, setup: &Setup) -> Vec<Fit> {
    let (none, setup) = (
        Values::new(),
        Setup {
            starts: setup.starts.min(STARTS),
            ..setup.clone()
        },
    );
    let all = Curve::ALL.map(|curve| one(Candidate::Curve(curve), &none, data, &setup).ok());
    all.into_iter().flatten().collect()
}

/// Bounces that seem to be missing in a series of heights or instants, in words. Each place is tried: with a bounce more between two rows the best plain curve must be better than without, with whichever growth of the noise suits each
/// of them. As for laws, every place and growth is a rival, and all of them together are to win by chance in no more than [`BY_CHANCE`] of all series.
fn missed(data: &Data, setup: &Setup, growths: &[Noise]) -> Option<String> {
    if !matches!(data.kind, Kind::Heights | Kind::Times) || data.y.len() < 6 {
        return None;
    }
    let with = |noise: &Noise| Setup {
        noise: Some(*noise),
        ..setup.clone()
    };
    let setups: Vec<Setup> = growths.iter().map(with).collect();
    let rivals = (data.y.len() - 1) * growths.len();
    let margin = 2.0 * math::ln(rivals as f64 / BY_CHANCE);
    let mut series = data.clone();
    let mut found: Vec<(usize, f64)> = Vec::new();
    // Of several that are missing the first may help little alone: it is gone on, and as many are told as pay for themselves.
    let (mut gained, mut most, mut told) = (0.0, 0.0, 0);
    while found.len() < MOST_MISSED {
        let (better, place) = likeliest(&series, &setups);
        if !(better > 0.0) {
            break;
        }
        series = with_more(&series, place);
        found.push((place, better));
        gained += better - margin;
        if gained > most {
            (most, told) = (gained, found.len());
        }
    }
    found.truncate(told);
    let mut places: Vec<usize> = found.iter().map(|one| one.0).collect();
    places.sort_unstable();
    places.dedup();
    let words: Vec<String> = places
        .iter()
        .map(|place| {
            let here = found.iter().filter(|one| one.0 == *place);
            let better: f64 = here.clone().map(|one| one.1).sum();
            let many = match here.count() {
                1 => "a bounce".to_string(),
                several => format!("{several} bounces"),
            };
            format!(
                "{many} between rows {place} and {} (better by {better:.1})",
                place + 1
            )
        })
        .collect();
    (!words.is_empty()).then(|| format!(
        "there seem to be missing: {}. With them plain curves of restitution fit clearly better in corrected AIC; as it is numbers and intervals do not hold. Hint: a column `bounce` that numbers the rows, and passes over what was missed",
        words.join(", ")
    ))
}

/// The row before which one more bounce helps most, and by how much in the corrected criterion.
fn likeliest(series: &Data, setups: &[Setup]) -> (f64, usize) {
    let (mut without, mut with) = (f64::INFINITY, (f64::INFINITY, 0));
    for setup in setups {
        let mut fits = plain(series, setup);
        let mut places: Vec<Option<usize>> = vec![None; fits.len()];
        for place in suspects(series) {
            fits.extend(plain(&with_more(series, place), setup));
            places.resize(fits.len(), Some(place));
        }
        criteria(&mut fits, setup, series);
        // Of noise that grows another way a unit is another one: its density counts.
        let sizes = setup.weights(series);
        let density: f64 = sizes.iter().map(|size| 2.0 * math::ln(*size)).sum();
        for (fit, place) in fits.iter().zip(places) {
            let criterion = fit.aicc + density;
            match place {
                None => without = without.min(criterion),
                Some(place) if criterion < with.0 => with = (criterion, place),
                Some(_) => {}
            }
        }
    }
    (without - with.0, with.1)
}

/// The series with a bounce more before this row.
fn with_more(data: &Data, place: usize) -> Data {
    let mut more = data.clone();
    more.x.iter_mut().skip(place).for_each(|x| *x += 1.0);
    more
}

/// Rows before which a bounce may be missing: all of a short series, of a long one those at which what is left of a bounce falls, or the time between strikes grows, the most.
fn suspects(data: &Data) -> Vec<usize> {
    let falls = |i: usize| match data.kind {
        Kind::Heights => data.y[i - 1] / data.y[i],
        _ if i < 2 => 1.0,
        _ => (data.y[i] - data.y[i - 1]) / (data.y[i - 1] - data.y[i - 2]),
    };
    let mut places: Vec<usize> = (1..data.y.len()).collect();
    places.sort_by(|a, b| falls(*b).total_cmp(&falls(*a)).then(a.cmp(b)));
    places.truncate(PLACES);
    places
}

/// How noise grows in these data.
pub(super) struct Growing {
    /// As it was asked for, or, of heights and speeds, as the plain curves of restitution tell.
    pub noise: Noise,
    /// By how much noise that is the same everywhere is likelier, as a logarithm; `None` where nobody asks.
    likelier: Option<f64>,
}

impl Growing {
    pub fn new(data: &Data, setup: &Setup) -> Self {
        let usual = setup.noise_of(data);
        if setup.noise.is_some() || usual == Noise::Absolute {
            return Self {
                noise: usual,
                likelier: None,
            };
        }
        let [one, other] = [Noise::Relative, Noise::Absolute].map(|noise| {
            let setup = Setup {
                noise: Some(noise),
                ..setup.clone()
            };
            let mut fits = plain(data, &setup);
            rank(&mut fits, &setup, data);
            let weights = setup.weights(data);
            let told = |fit: Fit| (fit.id, likelihood(&fit, noise, &weights, setup.loss));
            fits.into_iter().map(told).collect::<Vec<_>>()
        });
        let likelier = weighed(&one, &other);
        Self {
            noise: match likelier {
                Some(likelier) if likelier > DOUBTFUL => Noise::Absolute,
                _ => usual,
            },
            likelier,
        }
    }

    /// The other way, where it cannot be ruled out: intervals must hold with either.
    pub fn other(&self) -> Option<Noise> {
        let doubtful = self.likelier.is_some_and(|l| l.abs() < RULED_OUT);
        doubtful.then_some(match self.noise {
            Noise::Relative => Noise::Absolute,
            Noise::Absolute => Noise::Relative,
        })
    }

    /// What is to be told of it; `widened` is whether intervals are wider for the other way.
    pub fn words(&self, data: &Data, widened: bool) -> Option<String> {
        let likelier = self.likelier?;
        let what = match data.kind {
            Kind::Heights => "height",
            _ => "speed",
        };
        let both = "intervals are wide enough for both";
        match self.noise {
            Noise::Absolute => {
                let times = pretty(math::exp(likelier), "", 2);
                let both = match widened {
                    true => format!(", and {both}"),
                    false => String::new(),
                };
                Some(format!(
                    "the noise is taken as the same at every {what}, not in proportion to it: that is {times} times as likely{both}. Hint: --noise relative takes it in proportion"
                ))
            }
            Noise::Relative => widened.then(|| format!(
                "it hardly shows whether the noise is in proportion to the {what}, as it is taken, or the same at every {what}: {both}. Hint: --noise absolute, if it is that of a ruler or a camera"
            )),
        }
    }
}

/// By how much noise that is the same everywhere is likelier, as a logarithm, from the plain curves under either growth with their likelihoods. The curve that is best with either must say so: another one may bend until the noise looks
/// as it should.
fn weighed(relative: &[(&str, Option<f64>)], absolute: &[(&str, Option<f64>)]) -> Option<f64> {
    let of = |id: &str| {
        let find = |list: &[(&str, Option<f64>)]| list.iter().find(|g| g.0 == id)?.1;
        Some(find(absolute)? - find(relative)?)
    };
    let (one, other) = (of(relative.first()?.0)?, of(absolute.first()?.0)?);
    Some(one.min(other))
}

/// The logarithm of the likelihood of what is left over, under Huber's density, with what the fit has taken out of it: restricted likelihood (Patterson and Thompson 1971), so that a curve through a few points that alone have weight
/// does not look like little noise. `None` where there is no noise to judge.
fn likelihood(fit: &Fit, noise: Noise, weights: &[f64], loss: Loss) -> Option<f64> {
    let unit = match noise {
        Noise::Absolute => weights.first().copied().unwrap_or(1.0),
        Noise::Relative => 1.0,
    };
    let sigma = fit.noise / unit;
    let scale = match loss {
        Loss::Squares => f64::INFINITY,
        Loss::Huber => sigma,
    };
    let sizes: f64 = weights.iter().map(|w| math::ln(*w)).sum();
    let found = fit.freedom as f64 * math::ln(sigma) + 0.5 * fit.information + sizes;
    let all = found + least::cost(&fit.left, scale) / (sigma * sigma);
    (sigma > 1e-8 && all.is_finite()).then_some(-all)
}

/// Why residuals are not like noise, in words: far more of them are on one side than chance would have (its chance is one in a thousand), or there are fewer changes of sign, by more than three standard deviations (Wald and
/// Wolfowitz 1940). Those that are nothing at all have no side.
pub(super) fn unlike_noise(r: &[f64]) -> Option<String> {
    const ONE_SIDED: f64 = 3.3;
    let r: Vec<f64> = r.iter().copied().filter(|r| *r != 0.0).collect();
    let n = r.len() as f64;
    if n < 12.0 {
        return None;
    }
    let plus = r.iter().filter(|r| **r > 0.0).count() as f64;
    let minus = n - plus;
    let found = 1.0
        + r.windows(2)
            .filter(|w| (w[0] > 0.0) != (w[1] > 0.0))
            .count() as f64;
    let mean = 2.0 * plus * minus / n + 1.0;
    let variance = (mean - 1.0) * (mean - 2.0) / (n - 1.0);
    if (plus - minus).abs() > ONE_SIDED * math::sqrt(n) {
        let most = plus.max(minus);
        return Some(format!("lie on one side ({most} of {n})"));
    }
    (found < mean - 3.0 * math::sqrt(variance.max(0.0)))
        .then(|| format!("come in runs ({found} where chance has {mean:.0})"))
}

/// Whether residuals are much larger where the values are.
fn grows(r: &[f64], fitted: &[f64]) -> bool {
    let largest = fitted.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
    let spread = |low: f64, high: f64| {
        let part: Vec<f64> = r
            .iter()
            .zip(fitted)
            .filter(|(_, y)| (low..high).contains(&(y.abs() / largest)))
            .map(|(r, _)| *r)
            .collect();
        (part.len(), least::median_scale(&part))
    };
    let (few, small) = spread(0.02, 0.3);
    let (many, large) = spread(0.7, 1.1);
    few >= 10 && many >= 10 && large > 2.5 * small
}
