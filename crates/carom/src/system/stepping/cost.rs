//! What did the steps cost, and what may have gone wrong in them?

use crate::card::rounded;
use crate::model::StepSolver;
use crate::system::assembly;
use crate::system::mechanism::System;
use crate::system::note::Warning;

use super::Stepping;
use super::pivots::Pivots;

/// A way in a step beyond this part of what is passed through may have gone unseen.
const PASSES: f64 = 0.25;
/// Joints that are open by more than this part of the mechanism are told of.
const LOOSE: f64 = 1e-4;

/// What the steps cost, and where sweeps ended too early.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub evaluations: u64,
    pub sweeps: u64,
    /// Contacts, counted over all sweeps.
    pub visits: u64,
    /// Steps that were not solved closely enough, the largest residual there, and when (s).
    pub early: u64,
    pub residual: f64,
    pub when: f64,
    /// Steps with more contacts than pivots are for.
    pub crowded: u64,
    /// What may have passed through something in a step.
    pub passing: Passing,
    /// What pushing apart brought in, J, and how much went to and fro.
    pub lifted: [f64; 2],
    /// By how much joints were open at most, m or rad, where nothing puts them back, and when (s).
    pub open: [f64; 2],
    /// The most energy that the impulses of a step brought in, J, when (s), and at which site most.
    pub gained: (f64, f64, usize),
    /// The first contact that its own friction drives together.
    pub painleve: Option<Driven>,
}

/// The step in which something went farthest, measured by what it could have passed through.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passing {
    /// The way as a part of that.
    pub part: f64,
    /// m.
    pub way: f64,
    pub through: f64,
    /// s.
    pub when: f64,
    /// The contact of the model; `None` of a stop or of grains.
    pub contact: Option<usize>,
}

/// A contact that its own friction drives together (Painlevé).
#[derive(Clone, Copy, Debug)]
pub(super) struct Driven {
    pub site: usize,
    /// s.
    pub when: f64,
    /// How a unit of impulse with its friction moves the gap, 1/kg, the coefficient, and that from which on this can be.
    pub factor: f64,
    pub friction: f64,
    pub critical: f64,
}

impl Passing {
    /// Of a run with steps of this length, s.
    fn warning(&self, step: f64, system: &System) -> Warning {
        let model = &system.model;
        let name = |body: Option<usize>| match body.and_then(|body| model.bodies.get(body)) {
            Some(body) => format!("`{}`", body.name),
            None => "the ground".into(),
        };
        let entry = self.contact.and_then(|i| model.contacts.get(i));
        let (who, element) = match entry {
            Some(entry) => {
                let [one, two] = entry.contact.bodies().map(name);
                (
                    format!("{one} and {two} moved past each other"),
                    entry.element(),
                )
            }
            None => ("something moved".into(), "method.step".into()),
        };
        Warning {
            code: "long-step",
            element: Some(element),
            time: Some(self.when),
            message: format!(
                "{who} by {} m in a step of {step:.1e} s, and what they touch is felt over {} m: they may have passed through each other unseen",
                rounded(self.way),
                rounded(self.through)
            ),
            hint: format!(
                "step = \"{:.1e} s\" in [method] sees them",
                step * 0.5 * PASSES / self.part
            ),
        }
    }
}

impl Cost {
    pub(super) fn warnings(
        &self,
        stepping: &Stepping,
        steps: u64,
        system: &System,
    ) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let element = Some("method".to_string());
        if self.early > 0 {
            warnings.push(Warning {
                code: "sweeps-ended",
                element: element.clone(),
                time: Some(self.when),
                message: format!(
                    "in {} of {steps} steps the {} sweeps that are allowed did not bring the contacts to agree: the last one still changed a speed by {:.2e} of the largest, and {:.2e} is asked for",
                    self.early,
                    stepping.patience.iterations,
                    self.residual,
                    stepping.patience.tolerance
                ),
                hint: "more `iterations`, a larger `tolerance`, or a shorter `step`".into(),
            });
        }
        if self.crowded > 0 {
            warnings.push(Warning {
                code: "many-contacts",
                element: element.clone(),
                time: None,
                message: format!(
                    "{} of {steps} steps had more than {} contacts, too many for `lcp`: they were swept on the cone",
                    self.crowded,
                    Pivots::MOST
                ),
                hint: "solver = \"cone\"".into(),
            });
        }
        let failed = stepping.pivots.failed();
        if failed > 0 && stepping.solver == StepSolver::Lcp {
            warnings.push(Warning {
                code: "pivots-failed",
                element: element.clone(),
                time: None,
                message: format!(
                    "in {failed} of {steps} steps `lcp` found no answer: they were swept on the cone"
                ),
                hint: "solver = \"cone\"".into(),
            });
        }
        let (gained, when, site) = self.gained;
        if gained > 0.0 {
            warnings.push(Warning {
                code: "impact-gains-energy",
                element: Some(stepping.sites.name(site).into()),
                time: Some(when),
                message: format!(
                    "the impulses of a step brought in {} J, which no contact can: {}",
                    rounded(gained),
                    match stepping.sites.rubs(site) {
                        true => "Newton's restitution with friction may",
                        false => "several contacts at once may, and a way that bends within the step",
                    },
                ),
                hint: "contact = \"piecewise\" with restitution = \"stronge\" takes restitution as a ratio of energies; a shorter `step`".into(),
            });
        }
        if let Some(driven) = &self.painleve {
            warnings.push(Warning {
                code: "several-solutions",
                element: Some(stepping.sites.name(driven.site).into()),
                time: Some(driven.when),
                message: format!(
                    "friction drives the surfaces together (Painlevé): a unit of impulse with its friction moves them by {} 1/kg. The coefficient is {}, and this can be from {} on. Forces may have no answer there, or several; the step takes impulses that have one",
                    rounded(driven.factor),
                    rounded(driven.friction),
                    rounded(driven.critical)
                ),
                hint: "contact = \"piecewise\" says which; a smaller coefficient of friction has one answer".into(),
            });
        }
        if self.passing.part > PASSES {
            warnings.push(self.passing.warning(stepping.h, system));
        }
        let [open, when] = self.open;
        if stepping.unkept && open > LOOSE * assembly::size(&system.q) {
            warnings.push(Warning {
                code: "joints-open",
                element: Some("constraints.control".into()),
                time: Some(when),
                message: format!(
                    "nothing puts joints back after a step, and one of them is open by {} m or rad",
                    rounded(open)
                ),
                hint: "control = \"projection\" in [constraints] puts them back after every step; else a shorter step".into(),
            });
        }
        warnings
    }
}
