//! At which times does the caller want the state?

use super::outcome::Invalid;

/// The times at which the state is handed to the caller, through dense output; the steps taken do not depend on them.
///
/// At the instant of an event the state before it is handed over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output<'a> {
    /// Nowhere.
    None,
    /// At the start and then at every multiple of this time after it, up to the end.
    Every(f64),
    /// As `Every`, for a span that is run in parts: at `origin` plus whole multiples of `step`, from the multiple `first` on, up to `end`.
    Part {
        /// Where the whole span begins.
        origin: f64,
        /// Where it ends.
        end: f64,
        /// From one time to the next.
        step: f64,
        /// How many times are done with.
        first: usize,
    },
    /// At these times, in rising order; those outside the span are left out.
    At(&'a [f64]),
    /// At the start and at every accepted point; where an event cut a step, before and after its action.
    Steps,
}

/// Goes through the times.
pub(crate) struct Cursor<'a> {
    output: Output<'a>,
    /// Where multiples count from, and where they end.
    whole: [f64; 2],
    end: f64,
    count: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(output: Output<'a>, start: f64, end: f64) -> Result<Self, Invalid> {
        let (mut count, mut whole) = (0, [start, end]);
        if let Output::Part {
            origin, end, first, ..
        } = output
        {
            (count, whole) = (first, [origin, end]);
        }
        match output {
            Output::Every(step) | Output::Part { step, .. } => {
                let resolution = f64::EPSILON * whole[0].abs().max(whole[1].abs());
                if !(step > resolution && step.is_finite()) {
                    return Err(Invalid::new(
                        "output step",
                        step,
                        format!("a number above the resolution of time there, {resolution:e}"),
                    ));
                }
            }
            Output::At(times) => {
                if let Some(bad) = times.iter().find(|t| t.is_nan()) {
                    return Err(Invalid::new("output time", bad, "a number"));
                }
                if let Some(pair) = times.windows(2).find(|pair| pair[0] > pair[1]) {
                    return Err(Invalid::new(
                        "output time",
                        pair[1],
                        format!("after the one before it, {}", pair[0]),
                    ));
                }
                count = times.partition_point(|&t| t < start);
            }
            _ => {}
        }
        Ok(Self {
            output,
            whole,
            end,
            count,
        })
    }

    /// The next time asked for, if it is not beyond `limit`.
    #[inline]
    pub fn due(&self, limit: f64) -> Option<f64> {
        let next = match self.output {
            Output::None | Output::Steps => return None,
            Output::At(times) => *times.get(self.count)?,
            Output::Every(step) | Output::Part { step, .. } => {
                let [start, end] = self.whole;
                let t = start + self.count as f64 * step;
                // The last multiple may miss the end by rounding.
                let rounding = 4.0 * f64::EPSILON * start.abs().max(end.abs());
                if (t - end).abs() <= rounding { end } else { t }
            }
        };
        (next <= limit.min(self.end)).then_some(next)
    }

    /// The time last given out is done with.
    pub fn advance(&mut self) {
        self.count += 1;
    }

    /// Whether accepted points are wanted.
    pub fn steps(&self) -> bool {
        self.output == Output::Steps
    }
}
