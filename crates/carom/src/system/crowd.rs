//! What is told of a group of grains: while it moves, and when its run is over?

/// All grains of a group at an instant, in the order of the model.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// Its place among the groups of grains, from 0.
    pub group: usize,
    /// Mass centres (m, m) and angles (rad).
    pub positions: &'a [[f64; 3]],
    /// Velocities (m/s, m/s, rad/s).
    pub velocities: &'a [[f64; 3]],
    /// Radii, m.
    pub radii: &'a [f64],
}

/// How many grains move, and how many touches there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crowd {
    /// Grains of all groups.
    pub grains: usize,
    /// Touches of two grains, or of a grain and a wall, at the last look: once a sample.
    pub contacts: usize,
}

/// Where a grain touches another, or a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrainTouch {
    /// The grain, by its place in the group.
    pub grain: usize,
    /// The other one; `None` for a wall.
    pub other: Option<usize>,
    /// Where they touch, m.
    pub point: [f64; 2],
    /// The normal force, N.
    pub force: f64,
    /// The friction, N.
    pub friction: f64,
}

/// What is left of a group of grains at the end of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grouped {
    /// Its name.
    pub name: String,
    /// Mass centres (m, m) and angles (rad) at the end, in the order of the model.
    pub positions: Vec<[f64; 3]>,
    /// Velocities at the end (m/s, m/s, rad/s).
    pub velocities: Vec<[f64; 3]>,
    /// Radii, m.
    pub radii: Vec<f64>,
    /// What touches at the end.
    pub touches: Vec<GrainTouch>,
    /// Energy of motion at the end, J.
    pub kinetic: f64,
    /// The largest seen, J.
    pub kinetic_peak: f64,
    /// Since when, s, the energy of motion has stayed below [`SETTLED`] of its peak; `None` if it has not.
    pub settled: Option<f64>,
    /// The deepest overlap seen, m.
    pub max_overlap: f64,
    /// The largest normal force seen, N.
    pub max_force: f64,
    /// Energy of motion over time (s, J), thinned to some thousand points.
    pub history: Vec<(f64, f64)>,
    /// How often the list of neighbours was made.
    pub rebuilds: u64,
    /// The largest number of neighbours in it.
    pub pairs: u64,
    /// The shortest contact there can be, as far as it is known, s: what the step is measured by.
    pub contact_time: Option<f64>,
}

/// Energy of motion below this part of its peak counts as rest.
pub const SETTLED: f64 = 1e-10;

impl Grouped {
    /// How many others a grain touches on average, walls among them: a touch of two grains counts for both.
    pub fn coordination(&self) -> f64 {
        let pairs = self.touches.iter().filter(|t| t.other.is_some()).count();
        match self.positions.len() {
            0 => 0.0,
            count => (self.touches.len() + pairs) as f64 / count as f64,
        }
    }

    /// The largest normal force at the end, N.
    pub fn force(&self) -> f64 {
        self.touches.iter().map(|t| t.force).fold(0.0, f64::max)
    }

    /// The mean normal force at the end, N.
    pub fn mean_force(&self) -> f64 {
        match self.touches.len() {
            0 => 0.0,
            count => self.touches.iter().map(|t| t.force).sum::<f64>() / count as f64,
        }
    }
}

/// A curve over time that never becomes long: where it is full every second point goes.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    points: Vec<(f64, f64)>,
    /// Every so many points one is kept.
    stride: u64,
    offered: u64,
}

impl History {
    const MOST: usize = 4096;

    /// One more point; of those that are not kept the next ones are as good.
    pub fn offer(&mut self, t: f64, value: f64) {
        let stride = self.stride.max(1);
        if self.offered.is_multiple_of(stride) {
            if self.points.len() >= Self::MOST {
                let mut k = 0_usize;
                self.points.retain(|_| {
                    k += 1;
                    k % 2 == 1
                });
                self.stride = 2 * stride;
            }
            self.points.push((t, value));
        }
        self.offered += 1;
    }

    /// All that was kept.
    pub fn into_points(self) -> Vec<(f64, f64)> {
        self.points
    }
}

/// Since when something has been at rest: below a part of its own peak.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settling {
    pub peak: f64,
    /// The first look at which it was below, after the last at which it was not.
    since: Option<f64>,
}

impl Settling {
    /// The energy at a look. The peak only grows, so that what was above a part of it then may be forgotten now, but what is below stays below.
    pub fn look(&mut self, t: f64, kinetic: f64) {
        if kinetic > self.peak {
            self.peak = kinetic;
        }
        if self.peak > 0.0 && kinetic < SETTLED * self.peak {
            self.since.get_or_insert(t);
        } else {
            self.since = None;
        }
    }

    pub fn since(&self) -> Option<f64> {
        self.since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_is_told_from_the_last_time_it_began() {
        let mut settling = Settling::default();
        for (t, kinetic) in [(0.0, 0.0), (1.0, 1.0), (2.0, 1e-11), (3.0, 1e-3)] {
            settling.look(t, kinetic);
        }
        assert_eq!(settling.since(), None);
        for (t, kinetic) in [(4.0, 0.9e-10), (5.0, 1e-30), (6.0, 0.0)] {
            settling.look(t, kinetic);
        }
        assert_eq!((settling.since(), settling.peak), (Some(4.0), 1.0));
    }

    #[test]
    fn a_long_history_keeps_its_ends_and_stays_short() {
        let mut history = History::default();
        for i in 0..100_000 {
            history.offer(f64::from(i), 1.0);
        }
        let points = history.into_points();
        assert!(points.len() <= History::MOST && points.len() > History::MOST / 4);
        assert_eq!(points.first(), Some(&(0.0, 1.0)));
        assert!(points.last().is_some_and(|p| p.0 > 99_000.0));
        // Evenly spaced all along.
        let gaps = points.windows(2).map(|w| w[1].0 - w[0].0);
        let (least, most) = gaps.fold((f64::MAX, 0.0_f64), |(a, b), g| (a.min(g), b.max(g)));
        assert_eq!(least, most);
    }
}
