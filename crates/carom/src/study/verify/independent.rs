//! Does a run that shares neither instants nor formulas with the others part from them, also if it did not come to its end?
//!
//! Halvings of a fixed step see a force of time at the same instants of its period, all of them, and agree on what is not so. A second method, and steps that fit into no halving, do not. A run that was cut off is right up to there:
//! where it parts by then from runs that agree among themselves, nothing of that channel is believed; and of a fixed step no number has more digits than the stretch that both share.

use crate::model::Channel;
use crate::system::Status;

use super::digits::{self, Number, Sizes};
use super::horizon::Scales;
use super::runs::{Role, Run, Traced};

/// Runs part where they differ by so many times what the others of the same method do among themselves, and by so many tolerances.
const FACTOR: f64 = 10.0;
/// No less than this part of a channel parts runs: it may be rounding that has grown.
const ROUNDING: f64 = 1e-9;
/// They part where they stay apart for so many samples: contacts and jumps that fall on one are no news.
const STAYS: usize = 5;

/// A run that shares neither instants nor formulas with the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Independent {
    /// The second method, or an odd step.
    pub role: Role,
    /// The method, as it is typed in a model file.
    pub method: &'static str,
    /// Whether it came to its end.
    pub ended: bool,
    /// How far it came, s.
    pub until: f64,
    /// How far it is from the run as asked for up to there at most, as a part of the motion; not a number if they share no sample.
    pub apart: f64,
    /// The channels on which it parts from runs that agree among themselves.
    pub parted: Vec<String>,
    /// From when on, s.
    pub since: Option<f64>,
    /// Whether the others take fixed steps.
    pub fixed: bool,
}

/// What two runs are compared in.
pub(super) struct Stretch<'a> {
    pub traced: &'a Traced,
    pub sizes: &'a Sizes,
    pub scales: &'a Scales,
    /// Since when the motion cannot be computed, s.
    pub lost: Option<f64>,
}

/// What one channel says.
struct Told {
    name: String,
    /// By how much the runs are apart, for some samples on end.
    far: f64,
    /// How large the channel is on the stretch that both share, and in the whole run.
    sizes: [f64; 2],
    /// The sample from which on they part.
    at: Option<usize>,
}

impl Stretch<'_> {
    /// What the independent runs say, and what that leaves of the numbers. Of adaptive methods those only that were cut off: the others are compared as every run is.
    pub fn judge(&self, runs: &[Run], numbers: &mut [Number]) -> Vec<Independent> {
        let Some((asked, others)) = runs.split_first() else {
            return Vec::new();
        };
        let fixed = asked.ran.step.is_some();
        let counts = |run: &&Run| match run.ran.role {
            Role::Second | Role::Odd => fixed || run.ran.status != Status::Completed,
            _ => false,
        };
        let mut found = Vec::new();
        for run in others.iter().filter(counts) {
            let ended = run.ran.status == Status::Completed;
            let shared = self.shared(asked, run);
            let told = self.told(asked, run, others, shared);
            let parts = told.iter().filter(|one| one.at.is_some());
            let at = parts.clone().filter_map(|one| one.at).min();
            if !ended {
                limit(numbers, &told, fixed);
            }
            // States of bodies may be asked for, or not.
            let kept = |name: &String| numbers.iter().any(|n| is_of(&n.name, name));
            let mut parted: Vec<String> = Vec::new();
            for one in parts.filter(|one| kept(&one.name)) {
                if !parted.contains(&one.name) {
                    parted.push(one.name.clone());
                }
            }
            found.push(Independent {
                role: run.ran.role,
                method: run.ran.method,
                ended,
                until: run.ran.until,
                apart: self.apart(asked, run, shared),
                parted,
                since: at.and_then(|at| asked.table.t.get(at).copied()),
                fixed,
            });
        }
        found
    }

    /// How many samples both have before the motion is lost. The last sample of a run that broke off is its own.
    fn shared(&self, asked: &Run, run: &Run) -> usize {
        let both = asked.table.t.iter().zip(&run.table.t);
        let known = |t: f64| self.lost.is_none_or(|lost| t < lost);
        both.take_while(|(a, b)| a == b && known(**a)).count()
    }

    fn apart(&self, asked: &Run, run: &Run, shared: usize) -> f64 {
        let distances = self.scales.distances(&asked.table, &run.table, self.traced);
        distances.into_iter().take(shared).fold(f64::NAN, f64::max)
    }

    /// What the channels say, and the states of the bodies, which may be asked for by nobody.
    fn told(&self, asked: &Run, run: &Run, others: &[Run], shared: usize) -> Vec<Told> {
        let model = &self.traced.model;
        let tighter: Vec<&Run> = others
            .iter()
            .filter(|run| run.ran.role == Role::Tighter && run.ran.status == Status::Completed)
            .collect();
        let all = model.simulation.channels.iter().enumerate();
        all.filter(|(_, channel)| !super::OFF.contains(channel))
            .map(|(column, channel)| {
                let far = |other: &Run| differences(asked, other, column, *channel, shared);
                let sampled = |count: usize| {
                    let values = asked.table.column(column).take(count);
                    let values = values.map(f64::abs).filter(|x| x.is_finite());
                    values.fold(0.0, f64::max)
                };
                let whole = sampled(asked.table.t.len());
                let claimed = tighter.iter().flat_map(|other| far(other));
                let claimed = claimed.fold(0.0, f64::max);
                let rtol = match run.ran.role {
                    Role::Odd => 0.0,
                    _ => model.solver.rtol,
                };
                let size = self.sizes.of(whole, channel.unit(model));
                let least = FACTOR * claimed + (FACTOR * rtol).max(ROUNDING) * size;
                let far = far(run);
                let stay = || far.windows(STAYS.min(far.len().max(1)));
                let least_of = |all: &[f64]| all.iter().copied().fold(f64::INFINITY, f64::min);
                Told {
                    name: channel.name(model),
                    far: stay().map(least_of).fold(0.0, f64::max),
                    sizes: [sampled(shared), whole],
                    // Where nothing agrees among the others either, nobody parts from them.
                    at: stay()
                        .position(|window| least_of(window) > least)
                        .filter(|_| !tighter.is_empty()),
                }
            })
            .collect()
    }
}

/// How far two runs are apart on a channel, sample by sample.
fn differences(a: &Run, b: &Run, column: usize, channel: Channel, shared: usize) -> Vec<f64> {
    let both = a.table.column(column).zip(b.table.column(column));
    both.take(shared)
        .map(|(a, b)| match digits::apart(channel, a, b).abs() {
            _ if a.is_nan() && b.is_nan() => 0.0,
            d if d.is_nan() => f64::INFINITY,
            d => d,
        })
        .collect()
}

/// Whether a number is of this channel. Each heat is a part of all of them.
fn is_of(name: &str, channel: &str) -> bool {
    let rest = name.strip_prefix(channel);
    rest.is_some_and(|rest| {
        rest.is_empty() || channel.starts_with("energy.") && rest.starts_with('.')
    })
}

/// Leaves of the numbers what the stretch that both runs share bears out.
fn limit(numbers: &mut [Number], told: &[Told], fixed: bool) {
    for number in numbers {
        let Some(one) = told.iter().find(|one| is_of(&number.name, &one.name)) else {
            continue;
        };
        if one.at.is_some() {
            number.refuse(one.far);
            continue;
        }
        let [here, whole] = one.sizes;
        let grown = if here > 0.0 {
            (whole / here).max(1.0)
        } else {
            1.0
        };
        match fixed {
            true => number.doubt([grown * one.far; 2]),
            false if number.what == "over time" => number.doubt([one.far; 2]),
            false => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_heat_is_a_part_of_all_of_them_and_no_channel_is_a_part_of_another() {
        assert!(is_of("energy.dissipated.joint.pin", "energy.dissipated"));
        assert!(is_of("ball.x", "ball.x"));
        assert!(!is_of("ball.x.a", "ball.x") && !is_of("ball.vx", "ball.v"));
    }
}
