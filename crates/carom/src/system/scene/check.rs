//! Can the grains of a model be moved, and what is to be said of them beforehand?

use crate::card::short;
use crate::friction::Family;
use crate::grains;
use crate::model::units::pretty;
use crate::model::{Analysis, ContactMethod};
use crate::solve::Integrator;
use crate::system::mechanism::System;
use crate::system::note::{Trouble, Warning};

use super::heap::Heap;

/// A start so deep inside each other, in parts of the radius, was not meant.
const DEEP: f64 = 1e-2;

/// Fewer grains than this go faster on one thread: a step takes less time than waking the others.
const FEW: usize = 2000;

impl System {
    /// Whether the groups of grains can be moved, and what is to be said of them beforehand.
    pub(in crate::system) fn check_grains(&mut self) -> Result<(), Vec<Trouble>> {
        let model = &self.model;
        let Some(group) = model.of_grains().next() else {
            return Ok(());
        };
        if model.method.contact == ContactMethod::TimeStepping {
            return Ok(());
        }
        let wrong = |element: String, message: String, hint: &str| Trouble {
            code: "grains",
            element: Some(element),
            message,
            hint: hint.into(),
        };
        let mut troubles = Vec::new();
        if model.simulation.analysis != Analysis::Dynamic {
            troubles.push(wrong(
                "simulation.analysis".into(),
                format!(
                    "grains have no {} analysis: they only move",
                    model.simulation.analysis.name()
                ),
                "analysis = \"dynamic\"; or leave the group out",
            ));
        }
        if !matches!(model.solver.integrator, Integrator::Verlet { .. }) {
            troubles.push(wrong(
                group.element(),
                "grains that are no bodies move with a fixed step".into(),
                "integrator = \"verlet\" and step",
            ));
        }
        let contacts = model.contacts.iter().map(|entry| entry.element());
        let stops = model
            .limits
            .iter()
            .map(|entry| format!("joint.{}", entry.name));
        if let Some(element) = contacts.chain(stops).next() {
            troubles.push(wrong(
                element,
                "contacts and stops between bodies are not followed beside grains".into(),
                "let the grains touch the body (`touches` of the group); up to 64 grains are bodies themselves with every other integrator, and all contacts go together then",
            ));
        }
        for entry in &model.frictions {
            let law = entry.friction.law();
            // Laws with a deflection of their own are refused with this integrator anyway.
            if law.card().family != Family::Dry {
                continue;
            }
            troubles.push(wrong(
                format!("joint.{}.friction", entry.name),
                format!(
                    "`{}` sticks by itself, which is not solved for beside grains",
                    law.card().id
                ),
                "a law that is a function of speed, such as `tanh` or `brown-mcphee`; up to 64 grains are bodies themselves with every other integrator, and every law goes then",
            ));
        }
        if !troubles.is_empty() {
            return Err(troubles);
        }
        let Integrator::Verlet { step } = model.solver.integrator else {
            return Ok(());
        };
        let (q, v) = (self.q.clone(), self.v.clone());
        self.equations.rows(self.start, &q, &v);
        let mut warnings = Vec::new();
        for heap in self.heaps(step, 1)? {
            let radius = |i: usize| heap.radii.get(i).copied().unwrap_or(f64::NAN);
            let deep = heap
                .meets
                .iter()
                .filter(|m| m.overlap > DEEP * radius(m.grain));
            let deepest = deep.clone().max_by(|a, b| a.overlap.total_cmp(&b.overlap));
            if let Some(deepest) = deepest {
                warnings.push(Warning {
                    code: "starts-overlapping",
                    element: Some(format!("group.{}", heap.name)),
                    time: None,
                    message: format!(
                        "{} contacts start inside each other, {}.{} by {} at a radius of {}: they push each other apart from the start on",
                        deep.count(),
                        heap.name,
                        deepest.grain + 1,
                        pretty(deepest.overlap, "m", 3),
                        pretty(radius(deepest.grain), "m", 3)
                    ),
                    hint: "a region that keeps a radius away from walls".into(),
                });
            }
        }
        let simulation = &self.model.simulation;
        let asked = [
            ("output_step", Some(self.model.output_step())),
            ("snapshot_step", simulation.snapshot_step),
        ];
        for (key, asked) in asked {
            let Some(asked) = asked.filter(|asked| *asked < step) else {
                continue;
            };
            let code = if key == "output_step" {
                "output-step"
            } else {
                "snapshot-step"
            };
            warnings.push(Warning {
                code,
                element: Some(format!("simulation.{key}")),
                time: None,
                message: format!(
                    "`{key}` is {} s, and the step {} s: there is one a step and no more",
                    short(asked),
                    short(step)
                ),
                hint: format!("a longer {key}; between steps nothing is known of grains"),
            });
        }
        self.warnings.extend(warnings);
        Ok(())
    }

    /// The groups of grains at the start, for the poses of the last evaluation.
    pub(in crate::system) fn heaps(
        &self,
        step: f64,
        threads: usize,
    ) -> Result<Vec<Heap>, Vec<Trouble>> {
        // Of their own accord several threads work only where they have something to do.
        let grains: usize = self.model.of_grains().map(|group| group.count()).sum();
        let threads = match threads {
            0 if grains < FEW => 1,
            threads => threads,
        };
        let settings = grains::Settings {
            step,
            gravity: self.model.gravity,
            start: self.start,
            threads,
            ..grains::Settings::default()
        };
        let mut heaps = Vec::new();
        let mut troubles = Vec::new();
        for (entry, group) in self.model.groups.iter().enumerate() {
            if group.grains().is_none() {
                continue;
            }
            match Heap::new(&self.model, entry, &settings, &self.equations.poses) {
                Ok(heap) => heaps.push(heap),
                Err(found) => troubles.extend(found),
            }
        }
        if troubles.is_empty() {
            Ok(heaps)
        } else {
            Err(troubles)
        }
    }
}
