//! Which instant of a run does a picture of the movie show?

use crate::math;

/// How long a movie is if nobody says how fast it should go, s.
const LONG: f64 = 10.0;
/// Slow motion takes at most so many times as long as the rest of the movie would without it.
const SLOW: f64 = 1.0;

/// Time of the movie to time of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    pieces: Vec<Piece>,
    /// Seconds of the run that pass in one second of the movie.
    pub speed: f64,
    /// How many times slower it goes around impacts; 1 without slow motion.
    pub factor: f64,
    /// Length of the movie, s.
    pub length: f64,
}

/// A stretch that goes at one speed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    /// Where it begins in the movie and in the run, s.
    movie: f64,
    run: f64,
    /// Seconds of the run in a second of the movie.
    speed: f64,
    slow: bool,
}

impl Clock {
    /// From `from` to `to` at a speed (chosen if not given), with slow motion in the stretches given.
    pub fn new(from: f64, to: f64, speed: Option<f64>, slow: &[[f64; 2]]) -> Self {
        let span = (to - from).max(0.0);
        let speed = speed.unwrap_or_else(|| chosen(span));
        let mut stretches: Vec<[f64; 2]> = slow
            .iter()
            .map(|s| [s[0].max(from), s[1].min(to)])
            .filter(|s| s[1] > s[0])
            .collect();
        stretches.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let sum: f64 = stretches.iter().map(|s| s[1] - s[0]).sum();
        let factor = match SLOW * span / sum {
            f if f.is_finite() && f >= 2.0 => nice(f, false),
            _ => 1.0,
        };
        let mut pieces = Vec::new();
        let mut movie = 0.0;
        let mut run = from;
        let mut add = |until: f64, slow: bool| {
            if until > run {
                let speed = if slow { speed / factor } else { speed };
                pieces.push(Piece {
                    movie,
                    run,
                    speed,
                    slow,
                });
                movie += (until - run) / speed;
                run = until;
            }
        };
        if factor > 1.0 {
            for [begin, end] in stretches {
                add(begin, false);
                add(end, true);
            }
        }
        add(to, false);
        Self {
            pieces,
            speed,
            factor,
            length: movie,
        }
    }

    /// The time of the run at a time of the movie, s, and whether it goes slowly there.
    pub fn at(&self, movie: f64) -> (f64, bool) {
        let i = self.pieces.partition_point(|p| p.movie <= movie);
        match self.pieces.get(i.saturating_sub(1)) {
            Some(p) => (p.run + (movie - p.movie).max(0.0) * p.speed, p.slow),
            None => (0.0, false),
        }
    }

    /// How fast the movie goes, in words.
    pub fn says(&self, slow: bool) -> String {
        if slow {
            return format!("slow motion {}", ratio(self.speed / self.factor));
        }
        match self.speed {
            1.0 => "real time".into(),
            s if s < 1.0 => format!("{} of real time", ratio(s)),
            s => format!("{} times real time", whole(s)),
        }
    }
}

/// `1:200`.
fn ratio(speed: f64) -> String {
    if speed > 1.0 {
        return format!("{}:1", whole(speed));
    }
    format!("1:{}", whole(1.0 / speed))
}

/// A number without decimals where it has none that matter, thousands apart.
fn whole(x: f64) -> String {
    let rounded = x.round();
    if !(x < 1e15) {
        return format!("{x:.0e}");
    }
    if (x - rounded).abs() > 0.005 * x {
        let text = format!("{x:.2}");
        return text.trim_end_matches('0').trim_end_matches('.').into();
    }
    let digits = format!("{rounded:.0}");
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && digits.len() > 4 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(c);
    }
    text
}

/// A speed that makes a movie of a length one likes to look at: real time if that does, otherwise a round one.
fn chosen(span: f64) -> f64 {
    if !(span > 0.0) || (2.0..=1.5 * LONG).contains(&span) {
        return 1.0;
    }
    if span < LONG {
        // Round as it is told: one to so many.
        return 1.0 / nice(LONG / span, false);
    }
    nice(span / LONG, true)
}

/// 1, 2 or 5 times a power of ten, at or above (`up`) or at or below a positive number.
pub(super) fn nice(x: f64, up: bool) -> f64 {
    if !(x > 0.0 && x.is_finite()) {
        return 1.0;
    }
    let decade = math::log10(x).floor();
    let unit = |n: f64, k: f64| n * math::powf(10.0, decade + k);
    let all = [
        unit(1.0, 0.0),
        unit(2.0, 0.0),
        unit(5.0, 0.0),
        unit(1.0, 1.0),
    ];
    // The logarithm may be a rounding off.
    let (low, high) = (x * (1.0 - 1e-9), x * (1.0 + 1e-9));
    let found = match up {
        true => all.into_iter().find(|n| *n >= low),
        false => all.into_iter().rev().find(|n| *n <= high),
    };
    found.unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_movie_goes_at_a_round_speed_and_is_a_few_seconds_long() {
        for span in [1e-9, 3e-4, 0.024, 0.5, 1.9, 2.0, 7.0, 15.0, 16.0, 1e3, 1e9] {
            let clock = Clock::new(0.0, span, None, &[]);
            assert!((2.0..=15.1).contains(&clock.length), "{span}: {clock:?}");
        }
        assert_eq!(Clock::new(0.0, 7.0, None, &[]).says(false), "real time");
        let clock = Clock::new(0.0, 0.024, None, &[]);
        assert_eq!(clock.says(false), "1:200 of real time");
        assert!((clock.length - 4.8).abs() < 1e-9);
        let clock = Clock::new(0.0, 1000.0, None, &[]);
        assert_eq!(clock.says(false), "100 times real time");
    }

    #[test]
    fn slow_motion_stretches_the_impacts_and_nothing_else() {
        let clock = Clock::new(0.0, 10.0, Some(1.0), &[[6.0, 6.5], [2.0, 2.5]]);
        assert_eq!(clock.factor, 10.0);
        // 9 s as they are, 1 s ten times slower.
        assert!((clock.length - 19.0).abs() < 1e-12);
        assert_eq!(clock.at(1.0), (1.0, false));
        let (t, slow) = clock.at(2.0 + 2.5);
        assert!((t - 2.25).abs() < 1e-12 && slow);
        let (t, slow) = clock.at(8.0);
        assert!((t - 3.5).abs() < 1e-12 && !slow);
        assert!((clock.at(clock.length).0 - 10.0).abs() < 1e-12);
        assert_eq!(clock.says(true), "slow motion 1:10");
        // It would be slow all the time: then it is not slow at all.
        assert_eq!(Clock::new(0.0, 1.0, None, &[[0.0, 0.7]]).factor, 1.0);
    }

    #[test]
    fn numbers_become_round_on_the_side_asked_for() {
        for (x, up, down) in [(1.0, 1.0, 1.0), (3.0, 5.0, 2.0), (0.07, 0.1, 0.05)] {
            assert!((nice(x, true) - up).abs() < 1e-12, "{x}");
            assert!((nice(x, false) - down).abs() < 1e-12, "{x}");
        }
        assert_eq!(whole(20_000.0), "20 000");
    }
}
