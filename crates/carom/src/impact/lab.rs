//! How does a free impact go: how deep, how hard, how long, how much is lost?

use std::fmt;

use crate::card::Fault;
use crate::contact::{Damper, Law, Separation, Touch};
use crate::solve::{
    Ended, Failure, Flow, Integrator, Output, Settings, Solver, Statistics, Status,
};

use super::exact;
use super::known::damping_ratio;
use super::motion::{Motion, SIZE, is_stiff};
use super::quick::Quick;

/// How closely an impact is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Relative tolerance of the integration, 1e-14 to 1e-5; of the deepest indentation and of the approach speed.
    pub rtol: f64,
    /// How many intervals the history has; 0: no history.
    pub samples: usize,
}

impl Default for Accuracy {
    /// 1e-12, without a history.
    fn default() -> Self {
        Self {
            rtol: 1e-12,
            samples: 0,
        }
    }
}

/// A point of the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Time since touch, s.
    pub time: f64,
    /// Indentation, m.
    pub delta: f64,
    /// Its rate, m/s; positive approaching.
    pub rate: f64,
    /// Force, N.
    pub force: f64,
}

/// A point of the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Time since touch, s.
    pub time: f64,
    /// Indentation, m.
    pub delta: f64,
    /// Its rate, m/s.
    pub rate: f64,
    /// The elastic part of the force, N.
    pub elastic: f64,
    /// The rest of the force, N.
    pub dissipative: f64,
}

impl Sample {
    /// The whole force, N.
    pub fn force(&self) -> f64 {
        self.elastic + self.dissipative
    }
}

/// One impact from touch to separation.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Id of the law.
    pub law: &'static str,
    /// Approach speed, m/s.
    pub approach_speed: f64,
    /// Effective mass, kg.
    pub mass: f64,
    /// The restitution asked for, if one was.
    pub requested: Option<f64>,
    /// Separation speed over approach speed (Newton). Impulses (Poisson) and works (Stronge) give the same number in a free central impact.
    pub restitution: f64,
    /// The deepest point.
    pub deepest: Moment,
    /// Where the force is largest.
    pub peak: Moment,
    /// The least force, N; negative where the law pulls.
    pub min_force: f64,
    /// The separation.
    pub end: Moment,
    /// The impulse of the force, N s.
    pub impulse: f64,
    /// The recoverable energy at the deepest point, J.
    pub stored_energy_max: f64,
    /// What is lost up to the deepest point, J.
    pub dissipated_compression: f64,
    /// What is lost after it, J. Energy left in the spring where a contact ends at zero force is counted here: it never comes back.
    pub dissipated_restitution: f64,
    /// Kinetic energy at touch, less kinetic energy, elastic energy and dissipated work at separation, J: the error of the balance.
    pub energy_residual: f64,
    /// The coefficient that was used, the one that the card names under `calibrates`.
    pub coefficient: Option<f64>,
    /// When the bodies parted.
    pub separation: Separation,
    /// What it cost.
    pub statistics: Statistics,
    /// From touch to separation, closer in time near both; empty unless asked for.
    pub history: Vec<Sample>,
}

impl Impact {
    /// How long it lasts, s.
    pub fn duration(&self) -> f64 {
        self.end.time
    }

    /// Separation speed, m/s, positive.
    pub fn separation_speed(&self) -> f64 {
        -self.end.rate
    }

    /// All that is lost, J.
    pub fn dissipated(&self) -> f64 {
        self.dissipated_compression + self.dissipated_restitution
    }
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failed {
    /// The input is wrong.
    Input(Fault),
    /// The indentation would leave the range in which the law has a force.
    BeyondLimit {
        /// The law.
        law: &'static str,
        /// Its limit, m.
        limit: f64,
        /// The rate there, m/s.
        rate: f64,
    },
    /// The contact does not end.
    NoSeparation {
        /// The law.
        law: &'static str,
        /// Time up to which it was followed, s.
        time: f64,
        /// The indentation then, m.
        delta: f64,
        /// Its rate then, m/s.
        rate: f64,
    },
    /// No coefficient returns the restitution asked for.
    Unreachable {
        /// The law.
        law: &'static str,
        /// The restitution asked for.
        requested: f64,
        /// The nearest ones found, below and above; the same twice if all are on one side.
        nearest: [f64; 2],
    },
    /// The integration failed.
    Integration {
        /// The law.
        law: &'static str,
        /// Why.
        failure: Failure,
    },
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Self::Input(fault)
    }
}

impl Failed {
    /// Whether the input is to blame (exit code 2) rather than the run (1).
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            Self::Input(_) | Self::BeyondLimit { .. } | Self::Unreachable { .. }
        )
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(fault) => fault.fmt(f),
            Self::BeyondLimit { law, limit, rate } => write!(
                f,
                "{law}: the indentation reaches {limit:e} m, the largest for which the law has a force, still approaching at {rate:e} m/s. \
                 Hint: less speed or mass, or a law without a limit (hertz, liu)"
            ),
            Self::NoSeparation {
                law,
                time,
                delta,
                rate,
            } => write!(
                f,
                "{law}: the contact does not end: after {time:e} s the indentation is {delta:e} m and changes by {rate:e} m/s. \
                 Hint: with `separation = zero-indentation` a strong damper creeps back for ever; take `zero-force`, or less damping"
            ),
            Self::Unreachable {
                law,
                requested,
                nearest: [low, high],
            } => {
                write!(f, "{law}: no damping returns the restitution {requested}; ")?;
                if low == high {
                    write!(
                        f,
                        "the nearest found is {low}. Hint: how far the damping reaches depends on the law's other parameters"
                    )
                } else {
                    write!(f, "it jumps from {high} to {low} there")
                }
            }
            Self::Integration { law, failure } => write!(f, "{law}: {failure}"),
        }
    }
}

impl std::error::Error for Failed {}

/// Integrates one free impact of a law at an approach speed (m/s) on an effective mass (kg).
pub fn simulate(law: &Law, v0: f64, mass: f64, accuracy: &Accuracy) -> Result<Impact, Failed> {
    let touch = exact::begin(law, v0, mass)?;
    Lab::new(accuracy.rtol)?.follow(law, touch, accuracy.samples)
}

/// Whether what looks like a separation is the error of the integration around an indentation that dies out: a strong damper beside a spring brings the indentation back to zero
/// only after all time. Where the damping ratio does not tell, what is left of the rate does: it is no more than the tolerance. A damper that is a factor of the elastic force always
/// lets go.
fn creeps(touch: &Touch, rate: f64, rtol: f64) -> bool {
    let can = matches!(
        touch.damper(),
        Damper::Power { .. } | Damper::Signed { .. } | Damper::Own
    ) && touch.separation() == Separation::ZeroIndentation;
    can && match damping_ratio(touch) {
        Some(zeta) => zeta >= 1.0,
        None => rate >= -30.0 * rtol * touch.v0(),
    }
}

/// The end of an impact of which nothing else was asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Free {
    /// Separation speed over approach speed.
    pub restitution: f64,
    /// Evaluations of the force.
    pub evaluations: u64,
}

/// Steps of the explicit method before a variable of a law's own is taken for stiff: a tenth of them are usual, and the implicit method takes four times as many.
const BRIEF: u64 = 600;

/// An integrator that is used again and again, without allocating.
pub struct Lab {
    solver: Solver,
    /// Looks at guards at the ends of steps only: enough for a motion whose guards cross zero once.
    quick: Solver,
    /// For contacts that creep back.
    implicit: Solver,
    /// Gives up soon: for laws with a variable of their own, which is stiff only where it follows at once.
    brief: Solver,
    /// Whether the last impact was a matter for the implicit method.
    stiff: bool,
    rtol: f64,
}

impl Lab {
    /// With this relative tolerance, 1e-14 to 1e-5.
    pub fn new(rtol: f64) -> Result<Self, Fault> {
        Self::within(rtol, 1_000_000)
    }

    /// The same; an impact that takes more steps than this has failed.
    pub fn within(rtol: f64, max_steps: u64) -> Result<Self, Fault> {
        let fault = |_| Fault::OutOfRange {
            law: "impact",
            name: "rtol".into(),
            value: rtol,
            unit: "",
            allowed: "1e-14 ≤ x ≤ 1e-5".into(),
            hint: String::new(),
        };
        if !(1e-14..=1e-5).contains(&rtol) {
            return Err(fault(()));
        }
        let settings = Settings {
            integrator: Integrator::Dop853,
            rtol,
            atol: rtol,
            max_steps,
            ..Settings::default()
        };
        let sparing = Settings {
            guard_samples: 0,
            ..settings.clone()
        };
        let implicit = Settings {
            integrator: Integrator::Radau,
            ..settings.clone()
        };
        let brief = Settings {
            max_steps: BRIEF.min(max_steps),
            ..settings.clone()
        };
        Ok(Self {
            brief: Solver::new(brief).map_err(|_| fault(()))?,
            stiff: false,
            implicit: Solver::new(implicit).map_err(|_| fault(()))?,
            solver: Solver::new(settings).map_err(|_| fault(()))?,
            quick: Solver::new(sparing).map_err(|_| fault(()))?,
            rtol,
        })
    }

    /// Everything about one impact of a law that [`begin`](super::begin) has begun, with so many intervals of history: what [`simulate`] says, with an integrator that is there already.
    pub fn simulate(&mut self, law: &Law, touch: Touch, samples: usize) -> Result<Impact, Failed> {
        self.follow(law, touch, samples)
    }

    /// The restitution alone: the quick way.
    pub fn free(&mut self, law: &'static str, touch: &Touch) -> Result<Free, Failed> {
        if let Some(mut quick) = Quick::new(touch, self.rtol) {
            let mut y = quick.start();
            let (first, patience) = (quick.first_step(), quick.patience());
            let ended = run(&mut self.quick, law, &mut quick, first, patience, &mut y)?;
            return match ended.status {
                Status::Stopped if !creeps(touch, y[1], self.rtol) => Ok(Free {
                    restitution: -y[1] / touch.v0(),
                    evaluations: ended.statistics.rhs_evaluations,
                }),
                // Rare: the longer way says where it stays.
                _ => self.follow_free(law, touch),
            };
        }
        self.follow_free(law, touch)
    }

    fn follow_free(&mut self, law: &'static str, touch: &Touch) -> Result<Free, Failed> {
        let mut motion = Motion::new(touch.clone(), self.rtol, false);
        let mut y = motion.start();
        let size = motion.size();
        let ended = self.run_motion(law, &mut motion, &mut y[..size])?;
        Ok(Free {
            restitution: -y[1] / touch.v0(),
            evaluations: ended.statistics.rhs_evaluations,
        })
    }

    /// Runs to the separation.
    fn run_motion(
        &mut self,
        law: &'static str,
        motion: &mut Motion,
        y: &mut [f64],
    ) -> Result<Ended, Failed> {
        let (first, patience) = (motion.first_step(), motion.patience());
        let mut quickly = None;
        if motion.touch.has_own() {
            let (mut trial, mut there) = (motion.clone(), [0.0; SIZE]);
            let there = there.get_mut(..y.len()).unwrap_or_default();
            there.copy_from_slice(y);
            quickly = run(&mut self.brief, law, &mut trial, first, patience, there).ok();
            if quickly.is_some() {
                *motion = trial;
                y.copy_from_slice(there);
            }
        }
        self.stiff = quickly.is_none() && is_stiff(&motion.touch);
        let ended = match quickly {
            Some(ended) => ended,
            None if self.stiff => run(&mut self.implicit, law, motion, first, patience, y)?,
            None => run(&mut self.solver, law, motion, first, patience, y)?,
        };
        if motion.beyond_limit {
            return Err(Failed::BeyondLimit {
                law,
                limit: motion.touch.limit(),
                rate: y[1],
            });
        }
        if ended.status == Status::Completed || creeps(&motion.touch, y[1], self.rtol) {
            let s = motion.state(y);
            return Err(Failed::NoSeparation {
                law,
                time: s.time,
                delta: s.delta,
                rate: s.rate,
            });
        }
        Ok(ended)
    }

    /// Everything about one impact.
    fn follow(&mut self, law: &Law, touch: Touch, samples: usize) -> Result<Impact, Failed> {
        let id = law.card().id;
        let mut motion = Motion::new(touch.clone(), self.rtol, true);
        let mut y = motion.start();
        let size = motion.size();
        let ended = self.run_motion(id, &mut motion, &mut y[..size])?;
        let s = motion.state(&y[..size]);
        let mut end = motion.moment(&s);
        if touch.separation() != Separation::ZeroForce {
            // Located to rounding: what is left of the indentation is noise.
            end.delta = motion.touch.residual();
        }
        motion.note(&s);
        let deepest = motion.deepest.unwrap_or(end);
        let half = 0.5 * touch.mass();
        let kinetic = half * touch.v0() * touch.v0();
        let kept = half * s.rate * s.rate;
        // What the elastic part has taken on its way: of a law with permanent indentation more than is stored.
        let taken = motion.touch.elastic_work(s.delta);
        let history = if samples == 0 {
            Vec::new()
        } else {
            self.history(&touch, &motion, ended.t, deepest.time, samples)
        };
        Ok(Impact {
            law: id,
            approach_speed: touch.v0(),
            mass: touch.mass(),
            requested: law.requested(touch.v0())?,
            restitution: -s.rate / touch.v0(),
            deepest,
            peak: motion.peak,
            min_force: motion.least,
            end,
            impulse: touch.mass() * (touch.v0() - s.rate),
            stored_energy_max: motion.stored_max,
            dissipated_compression: kinetic - motion.stored_max,
            dissipated_restitution: motion.stored_max - kept,
            energy_residual: kinetic - kept - taken - y[3],
            coefficient: law.own_coefficient(&touch),
            separation: touch.separation(),
            statistics: ended.statistics,
            history,
        })
    }

    /// The same impact once more, with output at equal steps of the integration variable: closer in time near touch and separation.
    fn history(
        &mut self,
        touch: &Touch,
        done: &Motion,
        end: f64,
        turn: f64,
        samples: usize,
    ) -> Vec<Sample> {
        let mut motion = Motion::new(touch.clone(), self.rtol, true);
        let mut y = motion.start();
        let size = motion.size();
        let at: Vec<f64> = (0..=samples)
            .map(|i| end * i as f64 / samples as f64)
            .collect();
        let patience = motion.patience();
        let mut history = Vec::with_capacity(samples + 1);
        let solver = if self.stiff {
            &mut self.implicit
        } else {
            &mut self.solver
        };
        solver.run_with(
            &mut motion,
            0.0,
            patience,
            &mut y[..size],
            Output::At(&at),
            |_, y| {
                let s = done.state(y);
                let contact = if s.time <= turn { touch } else { &done.touch };
                let force = contact.force(&s);
                history.push(Sample {
                    time: s.time,
                    delta: s.delta,
                    rate: s.rate,
                    elastic: force.elastic,
                    dissipative: force.dissipative,
                });
            },
        );
        history
    }
}

/// Runs; a failure of the integration is an error.
fn run<F: Flow>(
    solver: &mut Solver,
    law: &'static str,
    flow: &mut F,
    first_step: f64,
    patience: f64,
    y: &mut [f64],
) -> Result<Ended, Failed> {
    let failed = |failure| Failed::Integration { law, failure };
    solver.set_first_step(Some(first_step)).map_err(|_| {
        Failed::Input(Fault::OutOfRange {
            law,
            name: "the duration of the impact".into(),
            value: first_step,
            unit: "",
            allowed: "a finite number above zero".into(),
            hint: "the parameters are each in range, but too far apart for the arithmetic".into(),
        })
    })?;
    let ended = solver.run(flow, 0.0, patience, y);
    match ended.status {
        Status::Failed(failure) => Err(failed(failure)),
        _ => Ok(ended),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Values;
    use crate::contact::{self, Calibration};

    #[test]
    fn an_overdamped_oscillator_that_creeps_back_to_zero_has_no_separation() {
        // From ζ = 1 on the indentation never changes its sign; the error of the integration does, and was once taken for a separation.
        let card = contact::find("kelvin-voigt").expect("known");
        for (zeta, ends) in [(0.9, true), (1.0, false), (5.0, false)] {
            let values = Values::new()
                .number("stiffness", 1e6)
                .number("damping", 2.0 * zeta * 1e3)
                .word("separation", "zero-indentation");
            let law = Law::new(card, &values, None, Calibration::Published).expect("sound");
            match simulate(&law, 1.0, 1.0, &Accuracy::default()) {
                Ok(impact) => assert!(ends && impact.restitution > 1e-4, "{zeta}"),
                Err(failed) => {
                    let creeps = matches!(failed, Failed::NoSeparation { .. });
                    assert!(!ends && creeps, "{zeta}: {failed}");
                }
            }
        }
    }
}
