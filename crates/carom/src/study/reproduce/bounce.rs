//! How does a small mechanism move that touches something again and again?
//!
//! Enough for the examples of the papers: one contact, its law begun afresh at every touch; or, in place of a law, an instantaneous change of speed.

use crate::contact::{Law, Separation, State, Touch};
use crate::impact::{Failed, begin};
use crate::solve::{
    Action, Fired, Flow, Integrator, Output, Phase, Settings, Solver, Status, Watch,
};

use super::Trouble;

/// What moves, and how far it is indented.
pub(super) trait Mechanism {
    /// The rates of the state under this contact force (N).
    fn rates(&self, t: f64, y: &[f64], force: f64, dydt: &mut [f64]);
    /// Indentation (m) and its rate (m/s); positive in contact, and approaching.
    fn indentation(&self, t: f64, y: &[f64]) -> (f64, f64);
    /// The effective mass at the contact, kg.
    fn mass(&self, y: &[f64]) -> f64;
}

/// What happens at a touch.
pub(super) enum Meeting<'a> {
    /// A force acts until the bodies part.
    Law(&'a Law),
    /// The speed is turned round at once, times this restitution.
    Impulse(f64),
}

/// One contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Episode {
    /// When it began, s.
    pub start: f64,
    /// Approach speed, m/s.
    pub approach: f64,
    /// Separation speed, m/s; none while it lasts.
    pub separation: Option<f64>,
}

/// The motion and its contacts.
pub(super) struct Run {
    /// Time and state.
    pub states: Vec<(f64, Vec<f64>)>,
    /// In order of time.
    pub episodes: Vec<Episode>,
}

// One value a run: its size does not matter, and a box would be made anew at every touch.
#[allow(clippy::large_enum_variant)]
enum Life {
    Free,
    Touching(Touch),
    /// Parted at zero force with some indentation left: no new contact before that is gone.
    Leaving,
}

struct Bounce<'a, M> {
    mechanism: &'a M,
    meeting: Meeting<'a>,
    life: Life,
    episodes: Vec<Episode>,
    failed: Option<Failed>,
}

const INDENTATION: usize = 0;
const SEPARATION: usize = 1;

impl<M: Mechanism> Bounce<'_, M> {
    /// What the law is told; the indentation never below zero, where powers end.
    fn state(&self, t: f64, y: &[f64]) -> State {
        let (delta, rate) = self.mechanism.indentation(t, y);
        let start = self.episodes.last().map_or(t, |episode| episode.start);
        State {
            time: t - start,
            ..State::new(delta, rate)
        }
    }

    fn part(&mut self, rate: f64) {
        if let Some(episode) = self.episodes.last_mut() {
            episode.separation = Some(-rate);
        }
    }
}

impl<M: Mechanism> Flow for Bounce<'_, M> {
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let force = match &self.life {
            // Under other forces than the contact's a damper may pull where the free impact never does.
            Life::Touching(touch) => touch.force(&self.state(t, y)).total().max(0.0),
            _ => 0.0,
        };
        self.mechanism.rates(t, y, force, dydt);
    }

    fn guard_count(&self) -> usize {
        2
    }

    fn guards(&mut self, t: f64, y: &[f64], g: &mut [f64]) {
        let s = self.state(t, y);
        g[INDENTATION] = s.delta;
        g[SEPARATION] = match &self.life {
            Life::Touching(touch) if touch.separation() == Separation::ZeroForce => {
                touch.separation_guard(&s)
            }
            _ => 1.0,
        };
    }

    fn event(&mut self, t: f64, y: &mut [f64], fired: &Fired<'_>) -> Action {
        let (_, rate) = self.mechanism.indentation(t, y);
        match (&self.life, &self.meeting) {
            (Life::Touching(_), _) => {
                self.part(rate);
                self.life = if fired.contains(INDENTATION) {
                    Life::Free
                } else {
                    Life::Leaving
                };
            }
            (Life::Leaving, _) => self.life = Life::Free,
            (Life::Free, Meeting::Impulse(e)) => {
                let e = *e;
                self.episodes.push(Episode {
                    start: t,
                    approach: rate,
                    separation: Some(e * rate),
                });
                // A unit of force changes every rate by what it adds to the motion without it.
                let mut still = vec![0.0; y.len()];
                let mut pushed = still.clone();
                self.mechanism.rates(t, y, 0.0, &mut still);
                self.mechanism.rates(t, y, 1.0, &mut pushed);
                let impulse = (1.0 + e) * self.mechanism.mass(y) * rate;
                for (i, value) in y.iter_mut().enumerate() {
                    *value += impulse * (pushed[i] - still[i]);
                }
            }
            (Life::Free, Meeting::Law(law)) => match begin(law, rate, self.mechanism.mass(y)) {
                Ok(touch) => {
                    self.episodes.push(Episode {
                        start: t,
                        approach: rate,
                        separation: None,
                    });
                    let duration = 3.0 * touch.elastic_depth() / rate;
                    self.life = Life::Touching(touch);
                    return Action::Restart {
                        first_step: Some(duration / 100.0),
                    };
                }
                Err(failed) => {
                    self.failed = Some(failed);
                    return Action::Stop;
                }
            },
        }
        Action::Restart { first_step: None }
    }

    fn phase(&mut self, _t: f64, _y: &[f64], phase: &mut Phase) {
        let (gap, force) = match self.life {
            Life::Free => (Watch::Rising, Watch::Off),
            Life::Touching(_) => (Watch::Falling, Watch::Falling),
            Life::Leaving => (Watch::Falling, Watch::Off),
        };
        phase.watch[INDENTATION] = gap;
        phase.watch[SEPARATION] = force;
    }
}

/// Follows a mechanism from rest apart to the end time (s), with so many states.
pub(super) fn follow<M: Mechanism>(
    mechanism: &M,
    meeting: Meeting,
    start: &[f64],
    end: f64,
    states: u32,
) -> Result<Run, Trouble> {
    let mut solver = Solver::new(Settings {
        integrator: Integrator::Dop853,
        rtol: 1e-11,
        // Of positions and speeds of order one; an indentation is some 1e-5.
        atol: 1e-13,
        ..Settings::default()
    })?;
    let mut flow = Bounce {
        mechanism,
        meeting,
        life: Life::Free,
        episodes: Vec::new(),
        failed: None,
    };
    let mut y = start.to_vec();
    let mut kept = Vec::new();
    let ended = solver.run_with(
        &mut flow,
        0.0,
        end,
        &mut y,
        Output::Every(end / f64::from(states)),
        |t, y| kept.push((t, y.to_vec())),
    );
    if let Some(failed) = flow.failed {
        return Err(failed.into());
    }
    if let Status::Failed(failure) = ended.status {
        return Err(Trouble::Motion(failure));
    }
    Ok(Run {
        states: kept,
        episodes: flow.episodes,
    })
}
