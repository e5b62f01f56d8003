//! What is asked, how is it integrated, and how are the joints kept closed?

use std::collections::BTreeMap;

use crate::card::{nearest, short};
use crate::grains;
use crate::grains::Wall;
use crate::impulse::{Hypothesis, Order};
use crate::math;
use crate::model::channel::{Channel, ContactQuantity, GroupQuantity, Motion};
use crate::model::diagnostic::cut;
use crate::model::file::laws::is_override;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::tree::Node;
use crate::model::group::{GroupEntry, GroupWall};
use crate::model::mechanism::{Analysis, Control, Model, Simulation};
use crate::model::method::{ContactMethod, Method, StepSolver};
use crate::model::units::pretty;
use crate::solve::{Integrator, KindTolerance, Settings};

/// The kinds of components as the table of tolerances and as the integration names them.
const KINDS: [(&str, &str); 5] = [
    ("position", "position"),
    ("angle", "angle"),
    ("velocity", "velocity"),
    ("angular_velocity", "angular velocity"),
    ("energy", "energy"),
];

impl<'a> Reader<'a> {
    /// Simulation and gravity; channels come last, when everything has its name. `at` is used where there is no such table.
    pub fn read_simulation(&mut self, record: Option<&Record<'a>>) -> (Simulation, [f64; 2]) {
        let mut simulation = Simulation::default();
        let gravity = record.and_then(|record| record.numbers("gravity"));
        let gravity = gravity.unwrap_or([0.0, -9.81]);
        let Some(record) = record else {
            return (simulation, gravity);
        };
        let word = record.word("analysis").unwrap_or("dynamic");
        let found = Analysis::ALL.iter().find(|(name, _)| *name == word);
        simulation.analysis = found.map_or(Analysis::Dynamic, |(_, analysis)| *analysis);
        let instant = matches!(simulation.analysis, Analysis::Static | Analysis::Modes);
        let start = match record.given("start") {
            true => record.number("start"),
            false => Some(0.0),
        };
        simulation.start = start.unwrap_or(0.0);
        simulation.end = simulation.start;
        if !record.given("end") {
            if !instant {
                // An analysis that cannot be read might need no end.
                if record.word("analysis").is_some() || !record.given("analysis") {
                    self.no_end(record.at.clone());
                }
            } else if let Some(start) = start {
                self.times = Some([start, start]);
            }
        } else if let (Some(start), Some(end)) = (start, record.number("end")) {
            if end > start {
                simulation.end = end;
                self.times = Some([start, end]);
            } else {
                let found = self.notes.error(
                    &record.place("end"),
                    &record.path_of("end"),
                    format!("the simulation ends at {end} s, but begins at {start} s"),
                );
                found.allowed(format!("> {start} s"));
            }
        }
        simulation.output_step = record.number("output_step");
        if let (Some(step), Some([start, end])) = (simulation.output_step, self.times)
            && !instant
        {
            let span = end - start;
            /// More samples than fit on any disk.
            const MOST: f64 = 1e9;
            if step > span || span / step > MOST {
                let found = self.notes.error(
                    &record.place("output_step"),
                    &record.path_of("output_step"),
                    format!(
                        "`output_step` is {} s in a simulation of {} s",
                        short(step),
                        short(span)
                    ),
                );
                found.allowed(format!("{} s ≤ x ≤ {} s", short(span / MOST), short(span)));
            }
        }
        simulation.snapshot_step = record.number("snapshot_step");
        if let (Some(step), Some([start, end])) = (simulation.snapshot_step, self.times)
            && !instant
            && step > end - start
        {
            let span = short(end - start);
            self.notes
                .error(
                    &record.place("snapshot_step"),
                    &record.path_of("snapshot_step"),
                    format!(
                        "`snapshot_step` is {} s in a simulation of {span} s",
                        short(step)
                    ),
                )
                .allowed(format!("≤ {span} s"))
                .hint("the last state is written in any case: leave it out");
        }
        (simulation, gravity)
    }

    /// Complains that nothing says when the simulation ends.
    pub fn no_end(&mut self, at: crate::model::file::tree::Origin) {
        self.notes
            .error(&at, "simulation.end", "`end` is missing")
            .allowed("a time [s] after the start")
            .hint("write `end = \"1 s\"` in [simulation]");
    }

    /// The channels that are asked for. `lost` are elements that could not be made: their channels are not complained about.
    pub fn read_channels(
        &mut self,
        record: Option<&Record<'a>>,
        model: &Model,
        lost: &[String],
    ) -> Vec<Channel> {
        let node = record.and_then(|record| record.node("channels"));
        let list = node.and_then(|node| node.list()).unwrap_or(&[]);
        if list.is_empty() {
            return Vec::new();
        }
        let all: BTreeMap<String, Channel> = Channel::all(model)
            .into_iter()
            .map(|channel| (channel.name(model), channel))
            .collect();
        let mut channels = Vec::new();
        let mut idle = Vec::new();
        for node in list {
            let Some(name) = node.text() else { continue };
            if let Some(channel) = all.get(name) {
                channels.push(*channel);
                continue;
            }
            if let Some(channel) = Channel::of_grain(name, model) {
                channels.push(channel);
                continue;
            }
            let element: Vec<&str> = name.splitn(3, '.').take(2).collect();
            if lost.iter().any(|lost| *lost == element.join(".")) {
                continue;
            }
            // Of the grains of a group.
            let group = element.first().copied().unwrap_or("");
            if lost
                .iter()
                .any(|lost| lost.strip_prefix("group.") == Some(group))
            {
                continue;
            }
            if let Some(known) = model.groups.iter().find(|known| known.name == group) {
                self.no_grain(node, name, known);
                continue;
            }
            // A joint with play that was made ideal by its one value, as --set does: the rest is left as it was.
            let of_play = |quantity: &&str| ContactQuantity::ALL.iter().any(|q| q.0 == *quantity);
            if self.ideal.contains(&element.join("."))
                && name.splitn(3, '.').nth(2).filter(of_play).is_some()
            {
                idle.push(name);
                continue;
            }
            let close = nearest(name, all.keys().map(String::as_str));
            self.notes
                .wrong(node, "simulation.channels", format!("there is no channel `{}`", cut(name)))
                .hint("channels are `body.x`, `body.point.vx`, `joint.name.force_x`, `driver.name.moment`, `force.name.length`, `contact.name.force`, `group.name.kinetic`, `grains.17.x`, `energy.kinetic`")
                .nearest(&close);
        }
        if let (Some(node), false) = (node, idle.is_empty()) {
            let message = format!(
                "left out, since the joint is ideal: `{}`",
                idle.join("`, `")
            );
            self.notes
                .warning(&node.at, "simulation.channels", message)
                .hint("with a clearance above 0 the joint has these channels");
        }
        channels
    }

    /// What begins with the name of a group is meant to be a channel of one of its grains.
    fn no_grain(&mut self, node: &Node, name: &str, group: &GroupEntry) {
        let motions = Motion::ALL.iter().filter(|m| !m.2.is_acceleration());
        let motions: Vec<&str> = motions.map(|m| m.0).collect();
        let of = &group.name;
        let close = nearest(
            name.strip_prefix(of.as_str())
                .unwrap_or("")
                .trim_start_matches('.'),
            GroupQuantity::ALL.iter().map(|q| q.0),
        );
        let close: Vec<String> = close.iter().map(|q| format!("group.{of}.{q}")).collect();
        self.notes
            .wrong(
                node,
                "simulation.channels",
                format!("there is no channel `{}`", cut(name)),
            )
            .allowed(format!(
                "{of}.1 to {of}.{}, each with {}",
                group.count(),
                motions.join(", ")
            ))
            .hint(format!(
                "channels of the whole group are `group.{of}.kinetic` and the like"
            ))
            .nearest(&close);
    }

    /// The settings of the integration.
    pub fn read_solver(&mut self, record: Option<&Record<'a>>) -> Settings {
        let mut settings = Settings::default();
        let Some(record) = record else {
            return settings;
        };
        if let Some(rtol) = record.number("rtol") {
            settings.rtol = rtol;
        }
        if let Some(atol) = record.number("atol") {
            settings.atol = atol;
        }
        if let Some(kinds) = record.record("atol") {
            for (key, kind) in KINDS {
                if let Some(atol) = kinds.number(key) {
                    settings.kinds.push(KindTolerance {
                        kind: kind.into(),
                        rtol: settings.rtol,
                        atol,
                    });
                }
            }
        }
        settings.first_step = record.number("first_step");
        if let Some(step) = record.number("max_step") {
            settings.max_step = step;
        }
        if let Some(steps) = record.whole("max_steps") {
            settings.max_steps = steps;
        }
        let word = record.word("integrator").unwrap_or("auto");
        let fixed = matches!(word, "rk4" | "verlet");
        // An integrator that cannot be read might be one of fixed steps.
        let known = record.word("integrator").is_some() || !record.given("integrator");
        for key in ["first_step", "max_step", "step"] {
            if known && record.given(key) && fixed != (key == "step") {
                let message = format!("`{key}` means nothing to {word}");
                let hint = if fixed {
                    "it has a fixed step: give `step` alone"
                } else {
                    "it chooses its steps by itself; give `max_step` to limit them"
                };
                // The file was written for another integrator than the one given beside it.
                let beside = |key: &str| record.entry(key).is_some_and(is_override);
                if beside("integrator") && !beside(key) {
                    self.notes
                        .warning(
                            &record.place(key),
                            &record.path_of(key),
                            format!("{message}, and is passed over"),
                        )
                        .hint(hint);
                    continue;
                }
                self.notes
                    .error(&record.place(key), &record.path_of(key), message)
                    .hint(hint);
            }
        }
        if fixed {
            settings.first_step = None;
            settings.max_step = Settings::default().max_step;
        }
        let step = record.number("step").unwrap_or(f64::NAN);
        settings.integrator = match word {
            "auto" => Integrator::Auto,
            "tsit5" => Integrator::Tsit5,
            "adams" => Integrator::Adams,
            "radau" => Integrator::Radau,
            "bdf" => Integrator::Bdf,
            "rk4" => Integrator::Rk4 { step },
            "verlet" => Integrator::Verlet { step },
            _ => Integrator::Dop853,
        };
        // Whatever the rules above let through.
        let complete = !fixed || record.given("step");
        if !record.bad && !self.notes.failed() && complete {
            for fault in settings.faults() {
                self.notes
                    .error(&record.at, &record.path, fault.to_string());
            }
        }
        settings
    }

    /// Complains of a fixed step that is not there, and warns of one that is too long for the grains; where grains are known, with a step that would do.
    pub fn judge_step(&mut self, record: &Record<'a>, model: &Model) {
        let Some(word @ ("rk4" | "verlet")) = record.word("integrator") else {
            return;
        };
        let steps = model.of_grains().filter_map(|group| enough(group, model));
        let enough = steps.reduce(f64::min);
        if record.given("step") {
            if let (Some(step), Some(enough)) = (record.number("step"), enough)
                && step > LONG * enough
            {
                let contact = FIFTY * enough;
                self.notes
                    .warning(
                        &record.place("step"),
                        &record.path_of("step"),
                        format!(
                            "with a step of {} it takes {:.1} steps through a contact of grains that fall as far as they stand apart, which lasts about {}: what it gives back is a matter of chance with fewer than {:.0}",
                            pretty(step, "s", 3),
                            contact / step,
                            pretty(contact, "s", 2),
                            FIFTY / LONG
                        ),
                    )
                    .hint(format!("step = \"{}\" would take fifty", pretty(enough, "s", 2)));
            }
            return;
        }
        let hint = match enough {
            Some(step) => format!(
                "step = \"{}\" would take fifty steps through the shortest contact",
                pretty(step, "s", 2)
            ),
            None => String::new(),
        };
        self.notes
            .error(
                &record.place("integrator"),
                &record.path_of("step"),
                format!("`step` is missing: {word} has a fixed step"),
            )
            .allowed("a time [s], > 0")
            .hint(hint);
    }

    /// How contacts are computed.
    pub fn read_method(&mut self, record: Option<&Record<'a>>) -> Method {
        let mut method = Method::default();
        let Some(record) = record else { return method };
        // What another method needs may stand beside it: the same file is run with all of them.
        let word = record.word("contact").unwrap_or("compliant");
        method.contact = ContactMethod::named(word).unwrap_or_default();
        if let (ContactMethod::TimeStepping, Some(word @ ("poisson" | "stronge"))) =
            (method.contact, record.word("restitution"))
        {
            self.notes
                .warning(
                    &record.place("restitution"),
                    &record.path_of("restitution"),
                    format!("time stepping takes Newton's restitution: `{word}` is passed over"),
                )
                .hint("contact = \"piecewise\" knows it");
        }
        method.hypothesis = match record.word("restitution") {
            Some("newton") => Hypothesis::Newton,
            Some("poisson") => Hypothesis::Poisson,
            _ => Hypothesis::Stronge,
        };
        method.order = match record.word("simultaneous") {
            Some("in-turns") => Order::InTurns,
            _ => Order::Together,
        };
        method.solver = match record.word("solver") {
            Some("lcp") => StepSolver::Lcp,
            _ => StepSolver::Cone,
        };
        method.step = record.number("step");
        method.theta = record.number("theta").unwrap_or(method.theta);
        method.iterations = record.whole("iterations").unwrap_or(method.iterations);
        method.tolerance = record.number("tolerance").unwrap_or(method.tolerance);
        method
    }

    /// How the joints are kept closed.
    pub fn read_constraints(&mut self, record: Option<&Record<'a>>) -> Control {
        let Some(record) = record else {
            return Control::default();
        };
        let word = record.word("control").unwrap_or("projection");
        let known = record.word("control").is_some() || !record.given("control");
        for key in ["alpha", "beta"] {
            if word == "baumgarte" && !record.given(key) {
                self.notes
                    .error(
                        &record.place("control"),
                        &record.path_of(key),
                        format!("`{key}` is missing"),
                    )
                    .allowed("a frequency [1/s], > 0")
                    .hint("baumgarte needs alpha and beta; values like 5 to 100 1/s are usual");
            } else if known && word != "baumgarte" && record.given(key) {
                self.notes
                    .error(
                        &record.place(key),
                        &record.path_of(key),
                        format!("`{key}` means nothing to {word}"),
                    )
                    .hint("it belongs to control = \"baumgarte\"");
            }
        }
        match word {
            "baumgarte" => Control::Baumgarte {
                alpha: record.number("alpha").unwrap_or(0.0),
                beta: record.number("beta").unwrap_or(0.0),
            },
            "none" => Control::None,
            _ => Control::Projection,
        }
    }
}

/// Steps through the shortest contact where all is well, and how many times longer a step may be than that before it is warned of.
const FIFTY: f64 = 50.0;
const LONG: f64 = 2.5;

/// A step (s) for grains that hit each other as fast as they may: with their speed at the start, and what they gain by falling as far as they stand apart.
fn enough(group: &GroupEntry, model: &Model) -> Option<f64> {
    let grains = group.grains()?;
    let first = grains.first()?;
    let mut low = first.position;
    let mut high = low;
    for grain in grains {
        for k in 0..2 {
            low[k] = low[k].min(grain.position[k] - grain.radius);
            high[k] = high[k].max(grain.position[k] + grain.radius);
        }
    }
    let [gx, gy] = model.gravity;
    let fall = 2.0 * (gx.abs() * (high[0] - low[0]) + gy.abs() * (high[1] - low[1]));
    let [vx, vy, _] = first.velocity;
    let speed = math::sqrt(vx * vx + vy * vy + fall);
    let speed = speed.max(group.terms.slowest);
    let wall = |wall: &GroupWall| {
        let shapes = match wall.body {
            Some(body) => &model.bodies.get(body)?.shapes,
            None => &model.ground_shapes,
        };
        Some(Wall {
            shape: shapes.get(wall.shape)?.shape.clone(),
            carrier: None,
            rules: group.rules(&wall.terms),
        })
    };
    let walls: Option<Vec<Wall>> = group.walls.iter().map(wall).collect();
    grains::suggested_step(grains, &walls?, &group.rules(&group.terms), speed).ok()
}
