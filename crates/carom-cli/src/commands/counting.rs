//! How is it shown how many of several runs are done?

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom::model::units::pretty;
use carom::study::verify::{Step, Underway};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::note;

/// From one line to the next where nobody looks at a terminal.
const LINE: Duration = Duration::from_secs(30);

/// A line in the terminal that counts runs, or one now and then elsewhere.
pub struct Counting<'a> {
    bar: Option<ProgressBar>,
    quiet: bool,
    doing: &'a str,
    what: &'a str,
    stop: &'a AtomicBool,
    begun: Instant,
    shown: Mutex<Instant>,
    /// Where the first run was when it was last heard of.
    first: Mutex<Option<Underway>>,
}

impl<'a> Counting<'a> {
    /// Says that it is `doing` something, unless it is to be quiet or nobody looks; ends it once `stop` is set.
    pub fn new(doing: &'a str, quiet: bool, stop: &'a AtomicBool) -> Self {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            match ProgressStyle::with_template("[{bar:12}] {wide_msg}") {
                Ok(style) => bar.with_style(style.progress_chars("=> ")),
                Err(_) => bar,
            }
        });
        let now = Instant::now();
        Self {
            bar,
            quiet,
            doing,
            what: "runs",
            stop,
            begun: now,
            shown: Mutex::new(now),
            first: Mutex::new(None),
        }
    }

    /// Where the first run was when it was last heard of, if it was on its way then.
    pub fn first(&self) -> Option<Underway> {
        self.first.lock().map_or(None, |first| *first)
    }

    /// Counts something else than runs.
    pub fn counting(mut self, what: &'a str) -> Self {
        self.what = what;
        self
    }

    /// So many are done; whether to go on.
    pub fn hear(&self, step: Step) -> ControlFlow<()> {
        if let Ok(mut first) = self.first.try_lock() {
            *first = step.first;
        }
        if let Some(bar) = &self.bar {
            bar.set_length(step.of as u64);
            bar.set_position(step.done as u64);
            bar.set_message(self.says(step));
        } else if !self.quiet
            && step.done < step.of
            && let Ok(mut shown) = self.shown.try_lock()
            && shown.elapsed() >= LINE
        {
            *shown = Instant::now();
            note(&self.says(step));
        }
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn says(&self, step: Step) -> String {
        let words = format!(
            "{}: {} of {} {} are done",
            self.doing, step.done, step.of, self.what
        );
        let more = step.of.saturating_sub(step.done);
        if let Some(first) = step.first {
            let [t, end] = [first.t, first.end].map(|t| pretty(t, "s", 4));
            return format!("{words}, the first is at {t} of {end}");
        }
        if step.done == 0 || more == 0 {
            return words;
        }
        let left = self.begun.elapsed().as_secs_f64() * more as f64 / step.done as f64;
        format!("{words}, about {} left", duration(left))
    }
}

/// So many seconds, as people say it.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

impl Drop for Counting<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
