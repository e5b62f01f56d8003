//! Who takes part in the comparison, and with what settings?

use carom::solve::{Clock, Flow, Integrator, Solver};
use carom_bench::impact::{Ball, Impact};
use carom_bench::{Hybrid, Problem};
use ivp::prelude::Method;

use super::{Outcome, Span, carom_solver, run_carom, run_diffsol, run_ivp};

/// One method of one solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contender {
    /// A method of Carom's, with time as the integration variable in contact.
    Carom(Integrator),
    /// The same with √(t − t₀).
    CaromRoot(Integrator),
    /// A method of `ivp`'s.
    Ivp(Method),
    /// Tsitouras 5(4) of `diffsol`'s.
    Diffsol,
}

/// Everybody, the one all are compared with first.
pub const ALL: [Contender; 13] = [
    Contender::Ivp(Method::DOP853),
    Contender::Carom(Integrator::Dop853),
    Contender::CaromRoot(Integrator::Dop853),
    Contender::Carom(Integrator::Tsit5),
    Contender::Carom(Integrator::Adams),
    Contender::CaromRoot(Integrator::Adams),
    Contender::Carom(Integrator::Auto),
    Contender::Carom(Integrator::Radau),
    Contender::Carom(Integrator::Bdf),
    Contender::Ivp(Method::DOPRI5),
    Contender::Ivp(Method::LSODA),
    Contender::Ivp(Method::RADAU),
    Contender::Diffsol,
];

impl std::fmt::Display for Contender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self {
            Contender::Carom(method) => format!("carom {method:?}"),
            Contender::CaromRoot(method) => format!("carom {method:?}, sqrt clock"),
            Contender::Ivp(method) => format!("ivp {method:?}"),
            Contender::Diffsol => "diffsol Tsit45".to_owned(),
        };
        f.pad(&name.to_lowercase())
    }
}

/// A problem that lets its contact be integrated in √(t − t₀), and says how far off a run was.
pub trait Match: Problem + Hybrid + Flow + Default {
    /// Sets the integration variable in contact.
    fn set_clock(&mut self, clock: Clock);
    /// The relative errors that count, with their names.
    fn errors(&self, outcome: &Outcome, y: &[f64]) -> [(&'static str, f64); 2];
}

impl Match for Impact {
    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }
    fn errors(&self, outcome: &Outcome, y: &[f64]) -> [(&'static str, f64); 2] {
        [
            ("exit speed", (y[1] / self.exit_speed() - 1.0).abs()),
            ("duration", (outcome.t / Self::SEPARATION - 1.0).abs()),
        ]
    }
}

impl Match for Ball {
    fn set_clock(&mut self, clock: Clock) {
        self.contact_clock = clock;
    }
    fn errors(&self, _outcome: &Outcome, y: &[f64]) -> [(&'static str, f64); 2] {
        let fortieth = self
            .touches
            .get(39)
            .map_or(f64::NAN, |t| (t / Self::FORTIETH - 1.0).abs());
        // A wrong number of touches is no small error.
        let fortieth = if self.touches.len() == Self::TOUCHES {
            fortieth
        } else {
            f64::NAN
        };
        [
            ("40th touch", fortieth),
            ("rest height", (y[0] / self.resting_height() - 1.0).abs()),
        ]
    }
}

/// A contender ready to run a problem over and over.
pub struct Runner<P> {
    contender: Contender,
    /// The problem, as the last run left it.
    pub problem: P,
    solver: Option<Solver>,
    span: Span,
    start: Vec<f64>,
    /// The state, as the last run left it.
    pub y: Vec<f64>,
}

impl<P: Match> Runner<P> {
    /// Everybody gets the same tolerances: rtol 1e-8, atol 1e-10 in flight and what the problem says in contact.
    pub fn new(contender: Contender) -> Result<Self, String> {
        let mut problem = P::default();
        let span = Span {
            end: problem.end(),
            rtol: 1e-8,
            atol: 1e-10,
        };
        if let Contender::CaromRoot(_) = contender {
            problem.set_clock(Clock::SquareRoot);
        }
        let solver = match contender {
            Contender::Carom(method) | Contender::CaromRoot(method) => {
                Some(carom_solver(&problem, method, span)?)
            }
            Contender::Ivp(_) | Contender::Diffsol => None,
        };
        let start = problem.start();
        Ok(Runner {
            contender,
            problem,
            solver,
            span,
            y: start.clone(),
            start,
        })
    }

    /// One run from the start.
    pub fn run(&mut self) -> Result<Outcome, String> {
        self.problem.reset();
        self.y.copy_from_slice(&self.start);
        match (self.contender, self.solver.as_mut()) {
            (Contender::Ivp(method), _) => {
                run_ivp(&mut self.problem, method, self.span, &mut self.y)
            }
            (Contender::Diffsol, _) => run_diffsol(&mut self.problem, self.span, &mut self.y),
            (_, Some(solver)) => run_carom(solver, &mut self.problem, self.span, &mut self.y),
            (_, None) => Err("no solver".to_owned()),
        }
    }
}
