//! How did a run end, in the words of `summary.json`?

use serde_json::{Map, Value, json};

use crate::model::{Analysis, ContactMethod, Control, Method, Model};
use crate::results::manifest::Overrides;
use crate::results::number;
use crate::solve::{Integrator, Touch};
use crate::system::{Contacted, Grouped, Mode, Outcome, Remark, Rest, Stability, System, Warning};

/// What stands in the summary while the run goes on: all that will be known of it if it is killed.
pub const GOING_ON: &str = "the run did not end by itself: it is still going on, or it was killed";

/// The head line of `contacts.csv`.
pub const CONTACTS_HEAD: &str = "contact,side,start [s],end [s],law,approach_speed [m/s or rad/s],separation_speed [m/s or rad/s],restitution,max_indentation [m or rad],peak_force [N or N m],duration [s],impulse [N s or N m s],dissipated_energy [J],point_number,effective_mass [kg or kg m^2],tangential_speed [m/s],x [m],y [m],normal_x,normal_y,impact_type,restitution_requested,restitution_free,restitution_poisson,restitution_stronge,max_indentation_time [s],peak_force_time [s],min_force [N or N m],impulse_compression [N s or N m s],impulse_restitution [N s or N m s],tangential_impulse [N s],stored_energy_max [J],dissipated_compression [J],dissipated_restitution [J],dissipated_friction [J],separation_indentation [m or rad],stick_time [s],slip_distance [m],drift [m],warnings\n";

/// What is known of a run besides its numbers.
#[derive(Clone, Debug)]
pub struct About<'a> {
    /// SHA-256 of the model's text, hexadecimal.
    pub hash: &'a str,
    /// Values given in place of those in the file.
    pub overrides: &'a Overrides,
    /// Noticed while the file was read.
    pub warnings: &'a [Warning],
}

/// The summary at the start of a run.
pub fn begun(system: &System, about: &About<'_>) -> Value {
    let mut summary = head(system, about, "failed", Some(GOING_ON));
    let (start, ..) = system.start();
    summary.insert("time".into(), json!({ "start": start, "end": null }));
    summary.insert("statistics".into(), Value::Null);
    summary.insert("energy".into(), Value::Null);
    let warnings = about.warnings.iter().chain(system.warnings());
    summary.insert("warnings".into(), warnings.map(warning).collect());
    summary.insert("contacts".into(), json!([]));
    Value::Object(summary)
}

/// The summary at its end. `wall` is the time it took, s.
pub fn ended(system: &System, about: &About<'_>, outcome: &Outcome, wall: f64) -> Value {
    let mut summary = head(
        system,
        about,
        outcome.status.name(),
        outcome.reason.as_deref(),
    );
    let (start, ..) = system.start();
    let time = json!({ "start": start, "end": outcome.t });
    summary.insert("time".into(), time);
    let s = &outcome.statistics;
    let statistics = json!({
        "rhs_evaluations": s.rhs_evaluations,
        "steps_accepted": s.steps_accepted,
        "steps_rejected": s.steps_rejected,
        "jacobians": s.jacobians,
        "factorisations": s.factorisations,
        "events": s.events,
        "wall_seconds": wall,
    });
    summary.insert("statistics".into(), statistics);
    let l = &outcome.ledger;
    let dissipated = l.dissipated.iter();
    let dissipated: Map<String, Value> = dissipated
        .map(|(element, heat)| (element.clone(), json!(heat)))
        .collect();
    let energy = json!({
        "kinetic": l.kinetic,
        "gravitational": l.gravitational,
        "elastic": l.elastic,
        "driver_work": l.driver_work,
        "load_work": l.load_work,
        "dissipated": dissipated,
        "residual": l.residual,
    });
    summary.insert("energy".into(), energy);
    let warnings = about.warnings.iter().chain(&outcome.warnings);
    summary.insert("warnings".into(), warnings.map(warning).collect());
    let contacts = outcome.contacts.iter().map(contact);
    summary.insert("contacts".into(), contacts.collect());
    if !outcome.groups.is_empty() {
        let groups = outcome.groups.iter();
        let groups: Map<String, Value> = groups.map(|g| (g.name.clone(), group(g))).collect();
        summary.insert("groups".into(), Value::Object(groups));
    }
    if !outcome.held.is_empty() {
        let joints = outcome.held.iter().map(|held| {
            json!({
                "joint": held.joint,
                "law": held.law,
                "stick_time": held.stick_time,
                "drift": held.drift,
            })
        });
        summary.insert("joints".into(), joints.collect());
    }
    let model = system.model();
    match model.simulation.analysis {
        Analysis::Modes => {
            let modes = outcome.modes.iter().map(|found| mode(found, model));
            summary.insert("modes".into(), modes.collect());
        }
        Analysis::Static => {
            let rest = outcome.rest.as_ref().map(rest);
            summary.insert("rest".into(), rest.unwrap_or_default());
        }
        _ => {}
    }
    Value::Object(summary)
}

/// One contact; null for what is not known of it.
fn contact(contacted: &Contacted) -> Value {
    let (episode, course, place) = (&contacted.episode, &contacted.course, contacted.place);
    let then = |value: f64| contacted.over.then_some(value);
    let impulse = contacted.impulse();
    let [compression, restitution] = course.heat;
    json!({
        "contact": contacted.element,
        "side": contacted.side,
        "point_number": contacted.slot + 1,
        "unit": contacted.unit,
        "start": episode.start,
        "end": then(episode.end),
        "law": contacted.law,
        "approach_speed": episode.approach,
        "separation_speed": then(episode.separation),
        "tangential_speed": place.map(|place| place.slip),
        "effective_mass": episode.mass,
        "point": place.map(|place| place.point),
        "normal": place.map(|place| place.normal),
        "impact_type": contacted.impact_type(),
        "restitution": {
            "requested": contacted.requested,
            "newton": contacted.newton(),
            "poisson": contacted.poisson(),
            "stronge": contacted.stronge(),
            // What the law returns where no other force acts, if there is a formula.
            "free": contacted.begun.free,
            // Defined for two balls that roll on a circular track, and only there.
            "hedrih": null,
        },
        "max_indentation": course.deepest[0],
        "max_indentation_time": course.deepest[1],
        "peak_force": course.peak[0],
        "peak_force_time": course.peak[1],
        "min_force": course.least,
        "duration": then(episode.end - episode.start),
        "impulse": impulse,
        // Blows alone, where surfaces do not yield; else all is one force.
        "blow_impulse": contacted.is_rigid().then(|| contacted.blow_impulse()),
        "tangential_impulse": course.rub_impulse,
        "impulse_ratio": (impulse != 0.0).then(|| course.rub_impulse / impulse),
        "stored_energy_max": course.stored,
        "dissipated_energy": {
            "normal": contacted.normal_heat(),
            "compression": compression,
            "restitution": restitution,
            "friction": course.rub_heat,
        },
        "stick_time": course.rest,
        "slip_distance": course.slide,
        "drift": course.drift.abs(),
        "separation_indentation": then(episode.left),
        "warnings": contacted.remarks.iter().map(remark).collect::<Vec<Value>>(),
    })
}

/// A group of grains: contacts and forces at the end, the largest overlap and force of the whole run.
fn group(group: &Grouped) -> Value {
    json!({
        "count": group.positions.len(),
        "contacts": group.touches.len(),
        "coordination": group.coordination(),
        "mean_force": group.mean_force(),
        "kinetic": group.kinetic,
        "kinetic_peak": group.kinetic_peak,
        // Since when the energy of motion has stayed below 1e-10 of its peak.
        "settled": group.settled,
        "max_overlap": group.max_overlap,
        "max_force": group.max_force,
        "contact_time": group.contact_time,
        "neighbour_lists": group.rebuilds,
        "neighbours": group.pairs,
    })
}

fn remark(remark: &Remark) -> Value {
    json!({
        "code": remark.code(),
        // Whether what was computed should not be used as it stands.
        "grave": remark.is_grave(),
        "message": remark.message(),
        "hint": remark.hint(),
    })
}

/// `contacts.csv`: an empty cell is not known; the codes of several warnings stand beside each other with a space between.
pub fn contacts_table(outcome: &Outcome) -> String {
    let mut text = CONTACTS_HEAD.to_string();
    for contacted in &outcome.contacts {
        let (episode, course, place) = (&contacted.episode, &contacted.course, contacted.place);
        let codes: Vec<&str> = contacted.remarks.iter().map(Remark::code).collect();
        // What has no number, such as the force of a blow, is not known.
        let told = |value: f64| match value.is_nan() {
            true => String::new(),
            false => number::text(value),
        };
        let cell = |value: Option<f64>| value.map_or_else(String::new, told);
        let then = |value: f64| cell(contacted.over.then_some(value));
        let cells = [
            contacted.element.clone(),
            contacted.side.unwrap_or_default().into(),
            told(episode.start),
            then(episode.end),
            contacted.law.into(),
            told(episode.approach),
            then(episode.separation),
            cell(contacted.newton()),
            told(course.deepest[0]),
            told(course.peak[0]),
            then(episode.end - episode.start),
            told(contacted.impulse()),
            told(contacted.normal_heat() + course.rub_heat),
            (contacted.slot + 1).to_string(),
            told(episode.mass),
            cell(place.map(|p| p.slip)),
            cell(place.map(|p| p.point[0])),
            cell(place.map(|p| p.point[1])),
            cell(place.map(|p| p.normal[0])),
            cell(place.map(|p| p.normal[1])),
            // A comma would end the cell.
            contacted.impact_type().unwrap_or_default().replace(',', ""),
            cell(contacted.requested),
            cell(contacted.begun.free),
            cell(contacted.poisson()),
            cell(contacted.stronge()),
            told(course.deepest[1]),
            told(course.peak[1]),
            told(course.least),
            told(course.impulse[0]),
            told(course.impulse[1]),
            told(course.rub_impulse),
            told(course.stored),
            told(course.heat[0]),
            told(course.heat[1]),
            told(course.rub_heat),
            then(episode.left),
            told(course.rest),
            told(course.slide),
            told(course.drift.abs()),
            codes.join(" "),
        ];
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

/// A way to vibrate; shapes are real and imaginary parts of x, y and angle, body by body.
fn mode(mode: &Mode, model: &Model) -> Value {
    let bodies = model.bodies.iter().zip(&mode.shape);
    let shape: Map<String, Value> = bodies
        .map(|(body, shape)| (body.name.clone(), json!(shape)))
        .collect();
    json!({
        "eigenvalue": mode.eigenvalue,
        "frequency": mode.frequency,
        "natural_frequency": mode.natural_frequency,
        "damping_ratio": mode.damping_ratio,
        "shape": shape,
    })
}

fn rest(rest: &Rest) -> Value {
    let stability = match rest.stability {
        Stability::Held => "held",
        Stability::Stable => "stable",
        Stability::Neutral => "neutral",
        Stability::Unstable => "unstable",
    };
    json!({ "stability": stability, "stiffnesses": rest.stiffnesses, "steps": rest.steps })
}

/// As it stands in the file.
pub fn text(summary: &Value) -> String {
    format!("{summary:#}\n")
}

fn head(
    system: &System,
    about: &About<'_>,
    status: &str,
    reason: Option<&str>,
) -> Map<String, Value> {
    let model = system.model();
    let mut summary = Map::new();
    summary.insert("status".into(), status.into());
    summary.insert("reason".into(), reason.into());
    let named = json!({ "title": model.title, "hash": about.hash });
    summary.insert("model".into(), named);
    summary.insert("version".into(), env!("CARGO_PKG_VERSION").into());
    let settings = settings(model, system, about.overrides);
    summary.insert("settings".into(), settings);
    let freedom = system.degrees_of_freedom();
    summary.insert("degrees_of_freedom".into(), freedom.into());
    summary
}

/// Everything that was chosen, by the file or by itself.
pub fn settings(model: &Model, system: &System, overrides: &Overrides) -> Value {
    let solver = &model.solver;
    let (integrator, step) = match solver.integrator {
        Integrator::Auto => ("auto", None),
        Integrator::Dop853 => ("dop853", None),
        Integrator::Tsit5 => ("tsit5", None),
        Integrator::Adams => ("adams", None),
        Integrator::Radau => ("radau", None),
        Integrator::Bdf => ("bdf", None),
        Integrator::Rk4 { step } => ("rk4", Some(step)),
        Integrator::Verlet { step } => ("verlet", Some(step)),
    };
    let kinds: Map<String, Value> = solver
        .kinds
        .iter()
        .map(|kind| {
            let tolerances = json!({ "rtol": kind.rtol, "atol": kind.atol });
            (kind.kind.clone(), tolerances)
        })
        .collect();
    let control = match model.control {
        Control::Projection => json!({ "control": "projection" }),
        Control::Baumgarte { alpha, beta } => {
            json!({ "control": "baumgarte", "alpha": alpha, "beta": beta })
        }
        Control::None => json!({ "control": "none" }),
    };
    let touch = match solver.touch {
        Touch::Located => json!("located"),
        Touch::PenetrationTolerance(tolerance) => json!({ "penetration_tolerance": tolerance }),
        Touch::SignChange => json!("sign-change"),
    };
    let channels: Vec<String> = system
        .channels()
        .iter()
        .map(|channel| channel.name(model))
        .collect();
    let asked = &model.simulation;
    json!({
        "simulation": {
            "analysis": asked.analysis.name(),
            "start": asked.start,
            "end": asked.end,
            "output_step": model.output_step(),
            "gravity": model.gravity,
            "channels": channels,
        },
        "solver": {
            "integrator": integrator,
            "step": step,
            "rtol": solver.rtol,
            "atol": solver.atol,
            "kinds": kinds,
            "first_step": solver.first_step,
            // An infinite number has no name in JSON: null is "no limit".
            "max_step": solver.max_step,
            "max_steps": solver.max_steps,
            "touch": touch,
        },
        "method": method(&system.model().method),
        "constraints": control,
        "overrides": overrides.json(),
    })
}

/// How contacts were computed, with what matters to that way.
fn method(method: &Method) -> Value {
    let contact = method.contact.name();
    match method.contact {
        ContactMethod::Compliant => json!({ "contact": contact }),
        ContactMethod::Piecewise => json!({
            "contact": contact,
            "restitution": method.restitution_name(),
            "simultaneous": method.order_name(),
        }),
        ContactMethod::TimeStepping => json!({
            "contact": contact,
            "restitution": method.restitution_name(),
            // As it was taken: the one that was asked for or chosen, made to fall on the samples.
            "step": method.step,
            "theta": method.theta,
            "solver": method.solver_name(),
            "iterations": method.iterations,
            "tolerance": method.tolerance,
        }),
    }
}

/// A warning as it stands in `summary.json`.
pub fn warning(warning: &Warning) -> Value {
    json!({
        "code": warning.code,
        "element": warning.element,
        "time": warning.time,
        "message": warning.message,
        "hint": warning.hint,
    })
}
