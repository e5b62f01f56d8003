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

/// From one line to the next in a terminal.
const REDRAWN: Duration = Duration::from_millis(100);

/// A line in the terminal that counts runs, or one now and then elsewhere.
pub struct Counting<'a> {
    bar: Option<ProgressBar>,
    quiet: bool,
    doing: &'a str,
    what: &'a str,
    stop: &'a AtomicBool,
    begun: Instant,
    /// When it last said something, since it began.
    shown: Mutex<Duration>,
    /// Where a run was when it was last heard of.
    underway: Mutex<Option<Underway>>,
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
        Self {
            bar,
            quiet,
            doing,
            what: "runs",
            stop,
            begun: Instant::now(),
            shown: Mutex::new(Duration::ZERO),
            underway: Mutex::new(None),
        }
    }

    /// Counts something else than runs.
    pub fn counting(mut self, what: &'a str) -> Self {
        self.what = what;
        self
    }

    /// Where a run was when it was last heard of, if one was on its way then.
    pub fn underway(&self) -> Option<Underway> {
        self.underway.lock().map_or(None, |run| *run)
    }

    /// So many are done; whether to go on.
    pub fn hear(&self, step: Step) -> ControlFlow<()> {
        if let Ok(mut underway) = self.underway.try_lock() {
            *underway = step.underway;
        }
        if let Some(bar) = &self.bar {
            let now = self.begun.elapsed();
            // A line that nobody could read is not written.
            if let Ok(mut shown) = self.shown.try_lock()
                && (step.done == step.of || now.saturating_sub(*shown) >= REDRAWN)
            {
                *shown = now;
                bar.set_length(step.of as u64);
                bar.set_position(step.done as u64);
                bar.set_message(self.says(step));
            }
        } else if !self.quiet
            && step.done < step.of
            && let Ok(mut shown) = self.shown.try_lock()
            && let now = self.begun.elapsed()
            && now.saturating_sub(*shown) >= LINE
        {
            *shown = now;
            note(&self.says(step));
        }
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn says(&self, step: Step) -> String {
        let mut words = format!(
            "{}: {} of {} {} are done",
            self.doing, step.done, step.of, self.what
        );
        let more = step.of.saturating_sub(step.done);
        let underway = step.underway.filter(|_| more > 0);
        if let Some(run) = underway {
            let whose = if step.of == 1 { "it is" } else { "one is" };
            words.push_str(&format!(
                ", {whose} at {} of {}",
                pretty(run.t, "s", 3),
                pretty(run.end, "s", 4)
            ));
        }
        // Of several runs nobody knows how far the others are.
        let done = match underway {
            Some(run) if step.of == 1 => (run.t - run.start) / (run.end - run.start),
            _ => step.done as f64,
        };
        if !(done > 0.0) || more == 0 {
            return words;
        }
        let left = self.begun.elapsed().as_secs_f64() * (step.of as f64 - done) / done;
        format!("{words}, about {} left", duration(left))
    }
}

/// So many seconds, as people say it.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s if s < 360_000.0 => format!("{:.1} h", s / 3600.0),
        s if s < 3e9 => format!("{:.0} days", s / 86_400.0),
        _ => "more than a lifetime".into(),
    }
}

impl Drop for Counting<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
