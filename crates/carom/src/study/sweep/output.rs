//! What is taken from one run of a sweep?

use crate::system::Contacted;

/// Which number of all those of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// The largest.
    Max,
    /// The least.
    Min,
    /// Over time, or over contacts.
    Mean,
    /// The root of the mean of the square.
    Rms,
    /// Largest less least.
    Range,
    /// The largest magnitude.
    Size,
    /// At the first instant, or of the first contact.
    First,
    /// At the last one.
    Last,
    /// Of contacts: all together.
    Sum,
    /// Of contacts: how many.
    Count,
    /// Once a period: see [`super::Section`].
    Samples,
}

impl Take {
    /// As they are typed.
    pub const WORDS: [&'static str; 11] = [
        "max", "min", "mean", "rms", "range", "size", "first", "last", "sum", "count", "samples",
    ];
    const ALL: [Take; 11] = [
        Take::Max,
        Take::Min,
        Take::Mean,
        Take::Rms,
        Take::Range,
        Take::Size,
        Take::First,
        Take::Last,
        Take::Sum,
        Take::Count,
        Take::Samples,
    ];

    /// What can be taken of the contacts of a run.
    pub const OF_CONTACTS: [Take; 10] = [
        Take::Max,
        Take::Min,
        Take::Mean,
        Take::Rms,
        Take::Range,
        Take::Size,
        Take::First,
        Take::Last,
        Take::Sum,
        Take::Count,
    ];
    /// What can be taken of a channel.
    pub const OF_CHANNELS: [Take; 9] = [
        Take::Max,
        Take::Min,
        Take::Mean,
        Take::Rms,
        Take::Range,
        Take::Size,
        Take::First,
        Take::Last,
        Take::Samples,
    ];

    /// As it is typed.
    pub fn word(self) -> &'static str {
        let place = Self::ALL.iter().position(|known| *known == self);
        let word = place.and_then(|place| Self::WORDS.get(place));
        word.copied().unwrap_or_default()
    }

    /// Of such a word.
    pub fn of(word: &str) -> Option<Take> {
        let place = Self::WORDS.iter().position(|known| *known == word)?;
        Self::ALL.get(place).copied()
    }
}

/// A number of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// As it is typed behind `contacts.`.
    pub name: &'static str,
    /// Its SI unit.
    pub unit: &'static str,
    /// Its SI unit at a stop that turns: every force is a moment there, and every length an angle.
    pub turning: &'static str,
    /// What it is of a contact; nothing where a contact has none.
    pub of: fn(&Contacted) -> Option<f64>,
}

fn over(contact: &Contacted, value: f64) -> Option<f64> {
    contact.over.then_some(value)
}

/// All numbers of contacts.
pub const QUANTITIES: [Quantity; 15] = [
    Quantity {
        name: "start",
        unit: "s",
        turning: "s",
        of: |c| Some(c.episode.start),
    },
    Quantity {
        name: "duration",
        unit: "s",
        turning: "s",
        of: |c| over(c, c.episode.end - c.episode.start),
    },
    Quantity {
        name: "approach_speed",
        unit: "m/s",
        turning: "rad/s",
        of: |c| Some(c.episode.approach),
    },
    Quantity {
        name: "separation_speed",
        unit: "m/s",
        turning: "rad/s",
        of: |c| over(c, c.episode.separation),
    },
    Quantity {
        name: "restitution",
        unit: "",
        turning: "",
        of: Contacted::newton,
    },
    Quantity {
        name: "effective_mass",
        unit: "kg",
        turning: "kg m^2",
        of: |c| Some(c.episode.mass),
    },
    Quantity {
        name: "tangential_speed",
        unit: "m/s",
        turning: "m/s",
        of: |c| Some(c.place?.slip),
    },
    Quantity {
        name: "max_indentation",
        unit: "m",
        turning: "rad",
        of: |c| Some(c.course.deepest[0]),
    },
    Quantity {
        name: "peak_force",
        unit: "N",
        turning: "N m",
        of: |c| Some(c.course.peak[0]),
    },
    Quantity {
        name: "peak_force_time",
        unit: "s",
        turning: "s",
        of: |c| Some(c.course.peak[1]),
    },
    Quantity {
        name: "min_force",
        unit: "N",
        turning: "N m",
        of: |c| Some(c.course.least),
    },
    Quantity {
        name: "impulse",
        unit: "N s",
        turning: "N m s",
        of: |c| Some(c.impulse()),
    },
    Quantity {
        name: "dissipated_energy",
        unit: "J",
        turning: "J",
        of: |c| Some(c.normal_heat() + c.course.rub_heat),
    },
    Quantity {
        name: "slip_distance",
        unit: "m",
        turning: "m",
        of: |c| Some(c.course.slide),
    },
    Quantity {
        name: "stick_time",
        unit: "s",
        turning: "s",
        of: |c| Some(c.course.rest),
    },
];

/// A number of the run itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfRun {
    /// Steps that were accepted.
    Steps,
    /// Evaluations of the right-hand side.
    Evaluations,
    /// Events.
    Events,
    /// Degrees of freedom.
    Freedom,
}

impl OfRun {
    /// All, as they are typed behind `run.`.
    pub const ALL: [(&'static str, OfRun); 4] = [
        ("steps", OfRun::Steps),
        ("evaluations", OfRun::Evaluations),
        ("events", OfRun::Events),
        ("degrees_of_freedom", OfRun::Freedom),
    ];
}

/// What an output is of.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// Of a free impact: an expression of what the laboratory finds.
    Impact,
    /// Of a run: an expression of channels.
    Channels,
    /// Of contacts: this number, or none where they are only counted.
    Contacts(Option<Quantity>),
    /// Of the run itself.
    Run(OfRun),
}

/// One output.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name, and the head of its column; with samples `name.1`, `name.2`, …
    pub name: String,
    /// The expression as it was typed.
    pub text: String,
    /// What kind of thing it is of.
    pub of: Of,
    /// Which number is taken.
    pub take: Take,
    /// Contacts of this element only.
    pub element: Option<String>,
    /// What is before this time does not count: an expression.
    pub from: Option<String>,
    /// The unit of its numbers; may be empty.
    pub unit: String,
    /// What one of that unit is in SI: results are divided by it.
    pub si: f64,
    /// What it is, for axes.
    pub title: String,
    /// How many columns it has.
    pub width: usize,
}

/// Gathers what is taken, one value after the other.
#[derive(Clone, Copy, Debug)]
pub(in crate::study) struct Gathered {
    count: u64,
    low: f64,
    high: f64,
    first: f64,
    last: f64,
    at: f64,
    sum: f64,
    squares: f64,
    weight: f64,
}

impl Gathered {
    pub const NONE: Self = Self {
        count: 0,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        first: f64::NAN,
        last: f64::NAN,
        at: f64::NAN,
        sum: 0.0,
        squares: 0.0,
        weight: 0.0,
    };

    /// A value at a time. Means are those of straight lines between, also of the squares, so that the root mean square is the root of the mean of the square: the square of a line between two samples of a curve would be too small.
    pub fn sample(&mut self, t: f64, value: f64) {
        if self.count > 0 {
            let h = t - self.at;
            self.sum += 0.5 * h * (self.last + value);
            self.squares += 0.5 * h * (self.last * self.last + value * value);
            self.weight += h;
        }
        self.at = t;
        self.note(value);
    }

    /// One of many that count alike.
    pub fn one(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
        self.weight += 1.0;
        self.note(value);
    }

    fn note(&mut self, value: f64) {
        if self.count == 0 {
            self.first = value;
        }
        self.last = value;
        // A value that is none spoils the extremes, as it spoils the mean.
        if value.is_nan() {
            (self.low, self.high) = (value, value);
        }
        if value < self.low {
            self.low = value;
        }
        if value > self.high {
            self.high = value;
        }
        self.count += 1;
    }

    pub fn taken(&self, take: Take) -> f64 {
        if self.count == 0 {
            return match take {
                Take::Count | Take::Sum => 0.0,
                _ => f64::NAN,
            };
        }
        // A single instant has no length: its value is its mean.
        let mean = |sum: f64, one: f64| {
            if self.weight > 0.0 {
                sum / self.weight
            } else {
                one
            }
        };
        match take {
            Take::Max => self.high,
            Take::Min => self.low,
            Take::Mean => mean(self.sum, self.last),
            Take::Rms => crate::math::sqrt(mean(self.squares, self.last * self.last)),
            Take::Range => self.high - self.low,
            Take::Size => self.high.abs().max(self.low.abs()),
            Take::First => self.first,
            Take::Last | Take::Samples => self.last,
            Take::Sum => self.sum,
            Take::Count => self.count as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_over_time_are_those_of_the_lines_between_samples() {
        let mut gathered = Gathered::NONE;
        // |t − 1| from 0 to 3, unevenly sampled: mean (1/2 + 2)/3.
        for t in [0.0, 0.5, 1.0, 1.25, 3.0_f64] {
            gathered.sample(t, (t - 1.0).abs());
        }
        assert!((gathered.taken(Take::Mean) - 2.5 / 3.0).abs() < 1e-15);
        assert_eq!(gathered.taken(Take::Range), 2.0);
        assert_eq!(gathered.taken(Take::First), 1.0);
        assert_eq!(gathered.taken(Take::Last), 2.0);
    }

    #[test]
    fn the_root_mean_square_is_the_root_of_the_mean_of_the_square() {
        let (mut plain, mut squared) = (Gathered::NONE, Gathered::NONE);
        // A sine over one period, eight samples a period: the mean of its square is 1/2 whatever the even step.
        for i in 0..=8 {
            let t = f64::from(i) / 8.0;
            let value = crate::math::sin(std::f64::consts::TAU * t);
            plain.sample(t, value);
            squared.sample(t, value * value);
        }
        let rms = plain.taken(Take::Rms);
        assert_eq!(rms, crate::math::sqrt(squared.taken(Take::Mean)));
        assert!((rms - 0.5_f64.sqrt()).abs() < 1e-15, "{rms}");
    }

    #[test]
    fn what_never_came_is_no_number_but_its_count_is_zero() {
        assert!(Gathered::NONE.taken(Take::Max).is_nan());
        assert_eq!(Gathered::NONE.taken(Take::Count), 0.0);
        let mut gathered = Gathered::NONE;
        gathered.one(f64::NAN);
        gathered.one(1.0);
        assert!(gathered.taken(Take::Max).is_nan());
    }

    #[test]
    fn every_word_takes_what_it_says() {
        let mut gathered = Gathered::NONE;
        for value in [3.0, -4.0, 1.0, 2.0] {
            gathered.one(value);
        }
        // Of 3, −4, 1, 2 that count alike, by hand.
        for (word, value) in [
            ("max", 3.0),
            ("min", -4.0),
            ("mean", 0.5),
            ("rms", 7.5_f64.sqrt()),
            ("range", 7.0),
            ("size", 4.0),
            ("first", 3.0),
            ("last", 2.0),
            ("sum", 2.0),
            ("count", 4.0),
        ] {
            let take = Take::of(word).expect("a word");
            assert_eq!(gathered.taken(take), value, "{word}");
        }
        assert_eq!(Take::of("samples"), Some(Take::Samples));
        assert_eq!(Take::of("most"), None);
        assert_eq!(Take::WORDS.len(), Take::ALL.len());
    }

    #[test]
    fn one_instant_is_its_own_mean() {
        let mut gathered = Gathered::NONE;
        gathered.sample(2.0, -3.0);
        for take in [Take::Mean, Take::First, Take::Last, Take::Max, Take::Min] {
            assert_eq!(gathered.taken(take), -3.0, "{take:?}");
        }
        assert_eq!(gathered.taken(Take::Rms), 3.0);
        assert_eq!(gathered.taken(Take::Range), 0.0);
    }

    #[test]
    fn numbers_of_contacts_have_names_of_their_own_and_units_that_are_known() {
        for (i, quantity) in QUANTITIES.iter().enumerate() {
            for unit in [quantity.unit, quantity.turning] {
                let known = crate::model::units::Dimension::of(unit, &[]).is_ok();
                assert!(known, "{unit}");
            }
            let before = QUANTITIES.iter().take(i);
            assert!(before.into_iter().all(|other| other.name != quantity.name));
        }
    }
}
