//! How is it shown how many of several runs are done?

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use carom::study::verify::Step;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line in the terminal that counts runs.
pub struct Counting<'a> {
    bar: Option<ProgressBar>,
    doing: &'a str,
    stop: &'a AtomicBool,
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
        Self { bar, doing, stop }
    }

    /// So many are done; whether to go on.
    pub fn hear(&self, step: Step) -> ControlFlow<()> {
        if let Some(bar) = &self.bar {
            bar.set_length(step.of as u64);
            bar.set_position(step.done as u64);
            bar.set_message(format!(
                "{}: {} of {} runs are done",
                self.doing, step.done, step.of
            ));
        }
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Drop for Counting<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
