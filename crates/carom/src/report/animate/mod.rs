//! How does a run become a moving picture?
//!
//! `film` reads what a run left behind, `clock` says which instant a picture shows, `scene` what is on it and where; `gif` and `svg` make the file, the former on a `canvas`. Nothing here does physics.

mod canvas;
pub mod clock;
pub mod film;
mod gif;
pub mod scene;
mod svg;

use std::fmt;

use clock::Clock;
use film::Film;
use scene::{Label, Scene, SceneError, View};

/// Pictures of a movie at most: more is a file nobody wants.
pub const MOST_PICTURES: usize = 3000;
/// Widths a picture may have, pixels.
pub const WIDTHS: (f64, f64) = (160.0, 3840.0);

/// What is asked of a movie.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Seconds of the run in one second of the movie; chosen if not given.
    pub speed: Option<f64>,
    /// Pictures a second.
    pub rate: f64,
    /// From when, s of the run.
    pub from: Option<f64>,
    /// Until when, s of the run.
    pub to: Option<f64>,
    /// Whether it goes slowly around impacts.
    pub slow_motion: bool,
    /// What the camera looks at.
    pub view: View,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            speed: None,
            rate: 25.0,
            from: None,
            to: None,
            slow_motion: false,
            view: View {
                width: 640.0,
                zoom: None,
            },
        }
    }
}

/// Why there is no movie.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnimateError {
    /// The film has no frames.
    NoFrames,
    /// An option is out of its range.
    Option {
        /// Its name.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What it must be.
        allowed: String,
    },
    /// It would have too many pictures.
    TooLong {
        /// So many.
        pictures: usize,
    },
    /// It cannot be drawn.
    Scene(SceneError),
    /// There are too many grains for this format.
    TooMany {
        /// So many.
        grains: usize,
    },
    /// The file could not be made.
    Encode {
        /// The encoder's words.
        reason: String,
    },
}

impl fmt::Display for AnimateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFrames => write!(f, "the film has no frames: there is nothing to show"),
            Self::Option {
                name,
                value,
                allowed,
            } => write!(f, "{name} = {value}, but must be {allowed}"),
            Self::TooLong { pictures } => write!(
                f,
                "the movie would have {pictures} pictures, more than {MOST_PICTURES}. Hint: a higher speed, fewer pictures a second, or a part of the time"
            ),
            Self::Scene(error) => error.fmt(f),
            Self::TooMany { grains } => write!(
                f,
                "{grains} grains make an SVG nobody can open. Hint: a GIF takes them"
            ),
            Self::Encode { reason } => write!(f, "the movie could not be encoded: {reason}"),
        }
    }
}

impl std::error::Error for AnimateError {}

impl From<SceneError> for AnimateError {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}

/// What one picture shows.
#[derive(Clone, Debug)]
struct Moment {
    /// Time of the run, s, and that of the picture before.
    t: f64,
    before: f64,
    captions: [Label; 2],
}

/// A movie before it is written down.
#[derive(Debug)]
pub struct Movie<'a> {
    scene: Scene<'a>,
    clock: Clock,
    moments: Vec<Moment>,
    /// From one picture to the next, hundredths of a second.
    delay: u16,
}

impl<'a> Movie<'a> {
    /// Plans a movie.
    pub fn new(film: &'a Film, options: &Options) -> Result<Self, AnimateError> {
        let (first, last) = film.span().ok_or(AnimateError::NoFrames)?;
        let wrong = |name, value, allowed: &str| AnimateError::Option {
            name,
            value,
            allowed: allowed.into(),
        };
        let from = options.from.unwrap_or(first).max(first);
        let to = options.to.unwrap_or(last).min(last);
        if !(from <= last) {
            return Err(wrong("from", from, &format!("at most {last} s, the end")));
        }
        if !(to >= from) {
            return Err(wrong("to", to, &format!("at least {from} s")));
        }
        if let Some(speed) = options.speed
            && !(speed > 0.0 && speed.is_finite())
        {
            return Err(wrong("speed", speed, "above 0"));
        }
        if !(1.0..=50.0).contains(&options.rate) {
            return Err(wrong("fps", options.rate, "1 to 50"));
        }
        let width = options.view.width;
        if !(WIDTHS.0..=WIDTHS.1).contains(&width) {
            let allowed = format!("{} to {} pixels", WIDTHS.0, WIDTHS.1);
            return Err(wrong("width", width, &allowed));
        }
        let slow = if options.slow_motion {
            film.slow.as_slice()
        } else {
            &[]
        };
        let clock = Clock::new(from, to, options.speed, slow);
        // A GIF counts in hundredths of a second.
        let delay = (100.0 / options.rate).round().max(2.0);
        let step = 0.01 * delay;
        // The end is shown, too.
        let pictures = (clock.length / step - 1e-6).ceil() + 1.0;
        if !(pictures <= MOST_PICTURES as f64) {
            return Err(AnimateError::TooLong {
                pictures: pictures as usize,
            });
        }
        let scene = Scene::new(film, &options.view, from, to)?;
        let shown = step * clock.speed / clock.factor;
        let mut moments: Vec<Moment> = Vec::new();
        let mut before = from;
        for i in 0..pictures as usize {
            let (t, slow) = clock.at(i as f64 * step);
            let t = t.min(to);
            moments.push(Moment {
                t,
                before,
                captions: scene.captions(&clock, t, slow, shown),
            });
            before = t;
        }
        Ok(Self {
            scene,
            clock,
            moments,
            delay: delay as u16,
        })
    }

    /// How many pictures it has.
    pub fn pictures(&self) -> usize {
        self.moments.len()
    }

    /// Width and height, pixels.
    pub fn size(&self) -> [usize; 2] {
        self.scene.size.map(|x| x as usize)
    }

    /// How long it takes, s.
    pub fn seconds(&self) -> f64 {
        0.01 * f64::from(self.delay) * self.moments.len() as f64
    }

    /// How fast it goes, in words; and around impacts, if it goes slowly there.
    pub fn says(&self) -> String {
        let speed = self.clock.says(false);
        match self.clock.factor {
            1.0 => speed,
            _ => format!("{speed}, {}", self.clock.says(true)),
        }
    }

    /// Whether it goes slowly around impacts; it does not where that would be nearly everywhere.
    pub fn slows(&self) -> bool {
        self.clock.factor > 1.0
    }

    /// Times of the run its pictures show, s.
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        self.moments.iter().map(|moment| moment.t)
    }

    /// Where the origin of a body is on the picture at a time of the run, pixels from the upper left corner.
    pub fn place(&self, body: usize, t: f64) -> [f64; 2] {
        self.scene.spot(body, t).at
    }

    /// The movie as the bytes of a GIF. `done` is told how many pictures are made.
    pub fn gif(&self, done: &mut dyn FnMut(usize)) -> Result<Vec<u8>, AnimateError> {
        gif::gif(&self.scene, &self.moments, self.delay, done)
    }

    /// The movie as an SVG text that moves by itself.
    pub fn svg(&self) -> Result<String, AnimateError> {
        svg::svg(&self.scene, &self.moments, 0.01 * f64::from(self.delay))
    }
}
