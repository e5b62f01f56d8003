//! How do grains move, with the mechanism that carries their walls, at a fixed step?

use super::mechanism::System;
use super::run::{Observer, Outcome, Status};

impl System {
    pub(super) fn pour(&mut self, _observer: &mut dyn Observer) -> Outcome {
        let y = self.state();
        self.outcome(Status::Failed, None, self.start, &y, [0.0; 3], Default::default(), Vec::new())
    }
}
