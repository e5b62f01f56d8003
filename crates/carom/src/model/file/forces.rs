//! How do the tables of forces become loads?

use crate::mechanics::{
    Axes, Bushing, Function, Input, Ligament, Load, Measure, Moment, Place, PointForce,
    RotationalSpring, Spring,
};
use crate::model::file::reader::Reader;
use crate::model::file::record::{Record, Site};
use crate::model::file::tables::{FORCE, MOMENT};
use crate::model::mechanism::LoadEntry;
use crate::model::units::Dimension;

/// What was read of a spring.
struct SpringParts {
    sites: [Site; 2],
    /// Whether both places are known.
    sound: bool,
    stiffness: f64,
    damping: f64,
    actuator: Input,
    /// The force over the length, in place of stiffness and free length.
    function: Option<Function>,
}

impl<'a> Reader<'a> {
    /// The forces in the order of the file; those that cannot be made are left out after a complaint.
    pub fn read_forces(&mut self, records: &[(&'a str, Record<'a>)]) -> Vec<LoadEntry> {
        let mut loads = Vec::new();
        for (name, record) in records {
            if record.bad {
                if record.sites("between").is_some() {
                    self.apart(record, "between", "force");
                }
                continue;
            }
            if let Some(load) = self.load(record) {
                loads.push(LoadEntry {
                    name: (*name).into(),
                    load,
                });
            }
        }
        loads
    }

    fn load(&mut self, record: &Record<'a>) -> Option<Load> {
        match record.kind {
            "point" => {
                let place = record.site("at")?.place;
                if place.body().is_none() {
                    self.on_ground(record, "at");
                    return None;
                }
                let axes = match record.word("axes") {
                    Some("body") => Axes::Place,
                    _ => Axes::Ground,
                };
                let force = PointForce::new(place, axes, record.inputs("force")?);
                self.sound(record, force).map(Load::from)
            }
            "moment" => {
                let on = record.body("on")?;
                let against = record.body("reaction_on").unwrap_or(None);
                if on == against {
                    if on.is_none() {
                        self.on_ground(record, "on");
                    } else {
                        let key = "reaction_on";
                        self.notes
                            .error(&record.place(key), &record.path_of(key), "the moment and its reaction are on the same body: together they do nothing")
                            .allowed("another body, or the ground");
                    }
                    return None;
                }
                let moment = Moment::new(on, against, record.input("moment")?);
                self.sound(record, moment).map(Load::from)
            }
            "spring" => self.spring(record),
            "rotational-spring" => self.rotational_spring(record),
            "ligament" => {
                let [first, second] = self
                    .apart(record, "between", "ligament")?
                    .map(|site| site.place);
                let (stiffness, length) = (record.number("stiffness")?, record.number("length")?);
                let ligament =
                    Ligament::new(first, second, stiffness, length, record.number("toe"));
                self.sound(record, ligament).map(Load::from)
            }
            "bushing" => {
                let [first, second] = self
                    .apart(record, "between", "bushing")?
                    .map(|site| site.place);
                let damping = record.numbers("damping").unwrap_or_default();
                let bushing = Bushing::new(first, second, record.numbers("stiffness")?, damping);
                self.sound(record, bushing).map(Load::from)
            }
            _ => None,
        }
    }

    fn on_ground(&mut self, record: &Record<'_>, key: &str) {
        self.notes
            .error(
                &record.place(key),
                &record.path_of(key),
                "this acts on the ground, which nothing moves",
            )
            .value("ground")
            .allowed("a body, or a point of one");
    }

    fn spring(&mut self, record: &Record<'a>) -> Option<Load> {
        let asked = [("length", Dimension::LENGTH), ("force", FORCE)];
        let parts = self.spring_parts(record, "spring", "force", asked)?;
        let [first, second] = parts.sites.map(|site| site.place);
        let (damping, actuator) = (parts.damping, parts.actuator);
        let spring = if let Some(function) = parts.function {
            let [a, b] = [first, second].map(|place| place.spot(&self.world.poses));
            let now = Measure::distance(&a, &b).value;
            self.finite_at(record, "force", &function, now, parts.sound)?;
            let from = rest(&function, now, now);
            Spring::with_force(first, second, function, from, damping, actuator)
        } else {
            let length = match record.number("length") {
                Some(length) => length,
                None if parts.stiffness == 0.0 || !parts.sound => 0.0,
                None => self.start_distance(record, first, second, "spring")?,
            };
            Spring::new(first, second, parts.stiffness, damping, length, actuator)
        };
        self.sound(record, spring).map(Load::from)
    }

    fn rotational_spring(&mut self, record: &Record<'a>) -> Option<Load> {
        let asked = [("angle", Dimension::ANGLE), ("moment", MOMENT)];
        let parts = self.spring_parts(record, "rotational spring", "moment", asked)?;
        let [first, second] = parts.sites.map(|site| site.place);
        let (damping, actuator) = (parts.damping, parts.actuator);
        let spring = if let Some(function) = parts.function {
            let turn = |place: Place| place.spot(&self.world.poses).angle;
            let now = turn(second) - turn(first);
            self.finite_at(record, "moment", &function, now, parts.sound)?;
            let from = rest(&function, now, core::f64::consts::PI);
            RotationalSpring::with_moment(first, second, function, from, damping, actuator)
        } else {
            let angle = record.number("angle").unwrap_or(0.0);
            RotationalSpring::new(first, second, parts.stiffness, damping, angle, actuator)
        };
        self.sound(record, spring).map(Load::from)
    }

    /// What springs along a line and springs that turn have in common; `key` gives the force by a function.
    fn spring_parts(
        &mut self,
        record: &Record<'a>,
        what: &str,
        key: &str,
        asked: [(&'static str, Dimension); 2],
    ) -> Option<SpringParts> {
        let sites = self.apart(record, "between", what)?;
        let damping = record.number("damping").unwrap_or(0.0);
        let actuator = record.input("actuator").unwrap_or(Input::ZERO);
        let function = self.characteristic(record, key, asked[0].0, asked)?;
        let elastic = function_given(record) || record.given("stiffness");
        if !elastic && damping == 0.0 && actuator.is_zero() {
            let missing = format!("`stiffness`, `{key}` or `table`, `damping`, or `actuator`");
            self.does_nothing(record, &missing);
            return None;
        }
        Some(SpringParts {
            sound: sites.iter().all(|site| site.sound),
            sites,
            stiffness: record.number("stiffness").unwrap_or(0.0),
            damping,
            actuator,
            function,
        })
    }

    /// A spring by a function or a table: `None` inside where it is straight.
    fn characteristic(
        &mut self,
        record: &Record<'a>,
        key: &str,
        free: &str,
        asked: [(&'static str, Dimension); 2],
    ) -> Option<Option<Function>> {
        if !function_given(record) {
            return Some(None);
        }
        if record.given(free) {
            self.notes
                .error(
                    &record.place(free),
                    &record.path_of(free),
                    format!("`{free}` says nothing where a function or a table gives the force"),
                )
                .hint("remove it");
            return None;
        }
        if record.given("table") {
            let mut splines = self.splines(record, "table", &asked, false)?;
            return splines.pop().map(|spline| Some(Function::Spline(spline)));
        }
        record.function(key).map(Some)
    }

    fn finite_at(
        &mut self,
        record: &Record<'_>,
        key: &str,
        function: &Function,
        x: f64,
        sound: bool,
    ) -> Option<()> {
        if !sound || function.value(x).is_finite() {
            return Some(());
        }
        self.notes
            .error(
                &record.place(key),
                &record.path_of(key),
                format!("`{key}` is not a finite number at the start, where the spring is at {x}"),
            )
            .hint("look for a division by zero, or a root or logarithm of a negative number there");
        None
    }

    fn does_nothing(&mut self, record: &Record<'_>, choices: &str) {
        self.notes
            .error(
                &record.at,
                &record.path,
                "this spring has no stiffness, no damping and no actuator: it does nothing",
            )
            .hint(format!("give {choices}"));
    }
}

fn function_given(record: &Record<'_>) -> bool {
    ["force", "moment", "table"]
        .iter()
        .any(|key| record.given(key))
}

/// Where a spring by a function is slack, from where its energy counts best: the zero nearest to `now` within `reach` of it (or in its table), else `now`.
fn rest(function: &Function, now: f64, reach: f64) -> f64 {
    const STEPS: usize = 400;
    let [low, high] = function.domain();
    let (low, high) = (low.max(now - reach), high.min(now + reach));
    let at = |i: usize| low + (high - low) * i as f64 / STEPS as f64;
    let mut best = now;
    let mut distance = f64::INFINITY;
    for i in 0..STEPS {
        let (mut a, mut b) = (at(i), at(i + 1));
        let (fa, fb) = (function.value(a), function.value(b));
        if !(fa * fb <= 0.0) {
            continue;
        }
        for _ in 0..60 {
            let middle = a + (b - a) / 2.0;
            if (function.value(middle) > 0.0) == (fa > 0.0) {
                a = middle;
            } else {
                b = middle;
            }
        }
        let found = if fa == 0.0 { at(i) } else { b };
        if (found - now).abs() < distance && function.value(found).is_finite() {
            (best, distance) = (found, (found - now).abs());
        }
    }
    best
}
