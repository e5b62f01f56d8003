//! How is one run of a model in a sweep done, and what is taken from it?

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::card::{rounded, short};
use crate::model::Channel;
use crate::model::diagnostic::Diagnostic;
use crate::model::expression::{Derived, Expression, ExpressionError, Scope, Symbol};
use crate::model::file::{Parsed, Source, Table, read_with};
use crate::model::units::Dimension;
use crate::system::{Observer, Outcome, Progress, Status, System, Warning};

use super::output::{Gathered, Of, OfRun, Output, Take};

/// Two instants of a run whose difference is less than this part of the later one differ by rounding.
const ROUNDING: f64 = 1e-12;

/// The code of what is warned of when a model file is read, as `carom run` has it.
const OF_FILE: &str = "model-file";

/// Samples once a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// From one to the next: an expression of parameters, or a time.
    pub period: String,
    /// Periods before the first.
    pub skip: u64,
    /// How many.
    pub count: u64,
}

/// The model that is run, before anything is varied.
#[derive(Clone, Debug)]
pub struct Mechanism {
    pub(super) source: Source,
    pub(super) tables: Vec<Table>,
    /// Set at every point.
    pub(super) set: Vec<(String, String)>,
    pub(super) section: Option<Section>,
}

/// What is wrong with a text of the study.
pub(super) struct Misread {
    /// Of this output, or of the section.
    pub output: Option<usize>,
    pub key: &'static str,
    /// Whether it is so at every point: names and kinds in an expression do not hang on values.
    pub everywhere: bool,
    pub errors: Vec<ExpressionError>,
}

/// Channels and parameters of a model; the first variable is the time, then those channels that were asked for.
struct Names<'a> {
    parsed: &'a Parsed,
    all: &'a [(String, Channel)],
    /// Whether channels may be used.
    moving: bool,
    wanted: RefCell<&'a mut Vec<Channel>>,
}

/// What a unit measures; of none a pure number.
fn measures(unit: &str) -> Option<Dimension> {
    match unit {
        "" | "1" => Some(Dimension::NONE),
        unit => Dimension::of(unit, &[]).ok(),
    }
}

impl Scope for Names<'_> {
    fn look_up(&self, name: &str) -> Option<Symbol> {
        if let Some(known) = self.parsed.parameters.iter().find(|p| p.name == name) {
            let dimension = match known.unit.as_str() {
                "" => None,
                unit => measures(unit),
            };
            return Some(Symbol::Constant {
                value: known.value,
                dimension,
            });
        }
        if !self.moving {
            return None;
        }
        if name == "t" {
            return Some(Symbol::Variable {
                index: 0,
                dimension: Dimension::TIME,
            });
        }
        let channel = self
            .all
            .iter()
            .find(|known| known.0 == name)
            .map(|known| known.1);
        let channel = channel.or_else(|| Channel::of_grain(name, &self.parsed.model))?;
        let dimension = measures(channel.unit(&self.parsed.model))?;
        let mut wanted = self.wanted.borrow_mut();
        let place = wanted.iter().position(|known| *known == channel);
        let place = place.unwrap_or_else(|| {
            wanted.push(channel);
            wanted.len() - 1
        });
        Some(Symbol::Variable {
            index: place + 1,
            dimension,
        })
    }

    fn names(&self) -> Vec<String> {
        let parameters = self.parsed.parameters.iter().map(|p| p.name.clone());
        let channels = self
            .all
            .iter()
            .filter(|_| self.moving)
            .map(|known| known.0.clone());
        parameters.chain(channels).take(2000).collect()
    }

    fn why_not(&self, name: &str) -> Option<String> {
        let known = name == "t" || self.all.iter().any(|known| known.0 == name);
        (!self.moving && known).then(|| {
            "this is known before the run: only parameters of the model may be used".into()
        })
    }
}

/// The channels of a model by their names.
pub(in crate::study) fn named(parsed: &Parsed) -> Vec<(String, Channel)> {
    let all = Channel::all(&parsed.model).into_iter();
    all.map(|channel| (channel.name(&parsed.model), channel))
        .collect()
}

/// An expression of channels; its variables are the time and then those in `wanted`, which grows by what it needs.
pub(in crate::study) fn express(
    parsed: &Parsed,
    all: &[(String, Channel)],
    text: &str,
    wanted: &mut Vec<Channel>,
) -> Result<Expression, Vec<ExpressionError>> {
    let names = Names {
        parsed,
        all,
        moving: true,
        wanted: RefCell::new(wanted),
    };
    // The names of some channels are no words of an expression (`grains.1.y`, `group.boxes.box1+box2.force`): alone they can be asked for.
    match names.look_up(text.trim()) {
        Some(channel @ Symbol::Variable { .. }) => Expression::parse("it", &Alone(channel)),
        _ => Expression::parse(text, &names),
    }
}

/// One thing that every name means.
struct Alone(Symbol);

impl Scope for Alone {
    fn look_up(&self, _: &str) -> Option<Symbol> {
        Some(self.0)
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// An expression, unless quantities of different kinds are added in it.
pub(super) fn fitting(expression: Expression) -> Result<Expression, Vec<ExpressionError>> {
    match expression.derived() {
        Derived::Misfit(error) => Err(vec![error.clone()]),
        _ => Ok(expression),
    }
}

/// A model at one point, with everything that is taken from it made ready.
pub(super) struct Ready {
    pub parsed: Parsed,
    /// One an output; none of what is no expression of channels, or could not be read.
    pub expressions: Vec<Option<Expression>>,
    /// One an output: what is before does not count, s. A hair earlier than was said: samples and contacts of that instant count, whatever its last digit.
    from: Vec<f64>,
    /// Samples a period, and the end of the last one, s.
    every: Option<u64>,
}

impl Mechanism {
    /// The model with these values set, and what of the study it does not know; an error if there is no such model.
    pub(super) fn ready(
        &self,
        values: &[(String, String)],
        outputs: &[Output],
    ) -> Result<(Ready, Vec<Misread>), Vec<Diagnostic>> {
        let mut overrides = self.set.clone();
        overrides.extend_from_slice(values);
        let mut parsed = read_with(&self.source, &overrides, &self.tables)?;
        let mut misread = Vec::new();
        let mut every = None;
        if let Some(section) = &self.section {
            match time(&parsed, &section.period).and_then(|period| above_zero(section, period)) {
                Ok(period) => {
                    let simulation = &parsed.model.simulation;
                    let start = simulation.start;
                    let own = simulation.output_step;
                    let own = own.unwrap_or((simulation.end - start) / 500.0).min(period);
                    // A little less than one more is one.
                    let parts = (period / own - 1e-9).ceil().clamp(1.0, 1e9);
                    every = Some(parts as u64);
                    let end = start + (section.skip + section.count) as f64 * period;
                    let number = |x: f64| format!("{x:?}");
                    overrides.push(("simulation.end".into(), number(end)));
                    overrides.push(("simulation.output_step".into(), number(period / parts)));
                    // Tables of time reach as far as the run does: it is read anew.
                    parsed = read_with(&self.source, &overrides, &self.tables)?;
                }
                Err(unread) => misread.push(unread.of(None, "period")),
            }
        }
        let all = named(&parsed);
        let mut wanted = Vec::new();
        let mut expressions = Vec::new();
        let mut from = Vec::new();
        for (i, output) in outputs.iter().enumerate() {
            let [start, end] = [parsed.model.simulation.start, parsed.model.simulation.end];
            let hair = ROUNDING * start.abs().max(end.abs());
            let begins = output.from.as_ref().map(|text| {
                let begins = time(&parsed, text)?;
                // A sample is taken at the very end; no contact that counts begins there.
                let late = match output.of {
                    Of::Channels => begins > end + hair,
                    _ => begins >= end - hair,
                };
                match late {
                    false => Ok(begins - hair),
                    // Nothing would be left to take.
                    true => Err(Unread::by_value(
                        text,
                        format!(
                            "`{}` is {} s, and the run ends at {} s",
                            text.trim(),
                            rounded(begins),
                            rounded(end)
                        ),
                        "a time before the end of the run",
                    )),
                }
            });
            from.push(match begins.transpose() {
                Ok(begins) => begins.unwrap_or(f64::NEG_INFINITY),
                Err(unread) => {
                    misread.push(unread.of(Some(i), "from"));
                    f64::NAN
                }
            });
            if !matches!(output.of, Of::Channels) {
                expressions.push(None);
                continue;
            }
            let read = express(&parsed, &all, &output.text, &mut wanted).and_then(fitting);
            expressions.push(match read {
                Ok(expression) => Some(expression),
                Err(errors) => {
                    misread.push(Unread::everywhere(errors).of(Some(i), "of"));
                    None
                }
            });
        }
        if wanted.is_empty() {
            // None asked for would be all there are.
            wanted.push(Channel::Violation);
        }
        parsed.model.simulation.channels = wanted;
        let ready = Ready {
            parsed,
            expressions,
            from,
            every,
        };
        Ok((ready, misread))
    }

    /// Runs one point and takes its outputs; `None` if it was stopped.
    pub(super) fn run(
        &self,
        values: &[(String, String)],
        outputs: &[Output],
        stop: &AtomicBool,
        row: &mut [f64],
        warnings: &mut String,
    ) -> Option<Result<(), String>> {
        let ready = match self.ready(values, outputs) {
            Ok((ready, misread)) if misread.is_empty() => ready,
            Ok((_, misread)) => {
                let errors = misread.iter().flat_map(|one| &one.errors);
                let mut words: Vec<String> = errors.map(ToString::to_string).collect();
                words.dedup();
                return Some(Err(words.join("; ")));
            }
            Err(all) => return Some(Err(in_one_line(&all))),
        };
        let read = ready.parsed.warnings.len() as u64;
        *warnings = counted(read, &[]);
        let mut system = match System::assemble(&ready.parsed.model) {
            Ok(system) => system,
            Err(misfits) => {
                let words: Vec<String> = misfits.iter().map(|m| m.message.clone()).collect();
                return Some(Err(words.join("; ")));
            }
        };
        // Other points are on the other processors.
        system.set_threads(1);
        let mut listener = Listener::new(&ready, outputs, self.section.as_ref(), stop);
        let outcome = system.run(&mut listener);
        *warnings = counted(read, &outcome.warnings);
        match outcome.status {
            Status::Completed => {}
            Status::Stopped => return None,
            Status::Failed => {
                let reason = outcome.reason.as_deref().unwrap_or("no reason is known");
                return Some(Err(format!("at t = {} s: {reason}", rounded(outcome.t))));
            }
        }
        listener.fill(&outcome, system.degrees_of_freedom(), row);
        Some(Ok(()))
    }
}

/// The codes of warnings, in order, each with how often it was said: `tension×3 yield`. So many were said when the model file was read with the values of the point.
fn counted(read: u64, warnings: &[Warning]) -> String {
    let mut codes: BTreeMap<&str, u64> = BTreeMap::new();
    if read > 0 {
        codes.insert(OF_FILE, read);
    }
    for warning in warnings {
        *codes.entry(warning.code).or_default() += 1;
    }
    let word = |(code, count): (&str, u64)| match count {
        1 => code.to_string(),
        n => format!("{code}×{n}"),
    };
    let words: Vec<String> = codes.into_iter().map(word).collect();
    words.join(" ")
}

/// What is wrong with a model, in one line.
pub(in crate::study) fn in_one_line(all: &[Diagnostic]) -> String {
    /// As many as a cell of a table bears.
    const TOLD: usize = 5;
    let one = |one: &Diagnostic| {
        let words = [&one.message, &one.path, &one.allowed];
        let words: Vec<&str> = words
            .into_iter()
            .map(String::as_str)
            .filter(|word| !word.is_empty())
            .collect();
        words.join("; ")
    };
    let mut words: Vec<String> = all.iter().take(TOLD).map(one).collect();
    if let more @ 1.. = all.len().saturating_sub(TOLD) {
        words.push(format!("and {more} more"));
    }
    words.join(" | ")
}

/// Why a text of the study cannot be used.
struct Unread {
    everywhere: bool,
    errors: Vec<ExpressionError>,
}

impl Unread {
    fn everywhere(errors: Vec<ExpressionError>) -> Self {
        Self {
            everywhere: true,
            errors,
        }
    }

    /// It can be read, but not with what it is at this point.
    fn by_value(text: &str, message: String, hint: &str) -> Self {
        Self {
            everywhere: false,
            errors: vec![ExpressionError {
                span: 0..text.len(),
                message,
                hint: hint.into(),
            }],
        }
    }

    fn of(self, output: Option<usize>, key: &'static str) -> Misread {
        Misread {
            output,
            key,
            everywhere: self.everywhere,
            errors: self.errors,
        }
    }
}

/// A time that is known before the run.
fn time(parsed: &Parsed, text: &str) -> Result<f64, Unread> {
    let mut none = Vec::new();
    let names = Names {
        parsed,
        all: &[],
        moving: false,
        wanted: RefCell::new(&mut none),
    };
    let expression = Expression::parse(text, &names).map_err(Unread::everywhere)?;
    expression
        .fits(Dimension::TIME)
        .map_err(|error| Unread::everywhere(vec![error]))?;
    let value = expression.constant().unwrap_or(f64::NAN);
    match value.is_finite() {
        true => Ok(value),
        false => Err(not_so(text, value, "a time is needed")),
    }
}

fn above_zero(section: &Section, period: f64) -> Result<f64, Unread> {
    match period > 0.0 {
        true => Ok(period),
        false => Err(not_so(
            &section.period,
            period,
            "a time above zero is needed",
        )),
    }
}

fn not_so(text: &str, value: f64, hint: &str) -> Unread {
    let words = format!("`{}` is {} s", text.trim(), short(value));
    Unread::by_value(text, words, hint)
}

/// Hears of a run and takes what is asked for.
struct Listener<'a> {
    ready: &'a Ready,
    outputs: &'a [Output],
    section: Option<&'a Section>,
    stop: &'a AtomicBool,
    gathered: Vec<Gathered>,
    sampled: Vec<Vec<f64>>,
    variables: Vec<f64>,
    count: u64,
}

impl<'a> Listener<'a> {
    fn new(
        ready: &'a Ready,
        outputs: &'a [Output],
        section: Option<&'a Section>,
        stop: &'a AtomicBool,
    ) -> Self {
        let room = |output: &Output| match output.take {
            Take::Samples => Vec::with_capacity(output.width),
            _ => Vec::new(),
        };
        Self {
            ready,
            outputs,
            section,
            stop,
            gathered: vec![Gathered::NONE; outputs.len()],
            sampled: outputs.iter().map(room).collect(),
            variables: vec![0.0; 1 + ready.parsed.model.simulation.channels.len()],
            count: 0,
        }
    }

    fn fill(&self, outcome: &Outcome, freedom: usize, row: &mut [f64]) {
        let mut place = 0;
        for (i, output) in self.outputs.iter().enumerate() {
            let Some(cells) = row.get_mut(place..place + output.width) else {
                return;
            };
            place += output.width;
            let from = self.ready.from.get(i).copied().unwrap_or(f64::NEG_INFINITY);
            let value = match output.of {
                Of::Impact => f64::NAN,
                Of::Run(of) => match of {
                    OfRun::Steps => outcome.statistics.steps_accepted as f64,
                    OfRun::Evaluations => outcome.statistics.rhs_evaluations as f64,
                    OfRun::Events => outcome.statistics.events as f64,
                    OfRun::Freedom => freedom as f64,
                },
                Of::Contacts(quantity) => {
                    let mut gathered = Gathered::NONE;
                    let of_element =
                        |name: &str| output.element.as_deref().is_none_or(|e| e == name);
                    for contact in &outcome.contacts {
                        if contact.episode.start >= from && of_element(&contact.element) {
                            let number =
                                quantity.map_or(Some(1.0), |quantity| (quantity.of)(contact));
                            if let Some(number) = number {
                                gathered.one(number);
                            }
                        }
                    }
                    gathered.taken(output.take)
                }
                Of::Channels if output.take == Take::Samples => {
                    let sampled = self.sampled.get(i).map_or(&[][..], Vec::as_slice);
                    for (cell, value) in cells.iter_mut().zip(sampled) {
                        *cell = *value;
                    }
                    continue;
                }
                Of::Channels => self
                    .gathered
                    .get(i)
                    .map_or(f64::NAN, |g| g.taken(output.take)),
            };
            if let Some(cell) = cells.first_mut() {
                *cell = value;
            }
        }
    }
}

impl Observer for Listener<'_> {
    fn sample(&mut self, t: f64, values: &[f64]) {
        let nth = self.count;
        self.count += 1;
        let Some((first, rest)) = self.variables.split_first_mut() else {
            return;
        };
        *first = t;
        for (to, from) in rest.iter_mut().zip(values) {
            *to = *from;
        }
        let strikes = match (self.ready.every, self.section) {
            (Some(every), Some(section)) => nth.is_multiple_of(every) && nth / every > section.skip,
            _ => false,
        };
        for (i, output) in self.outputs.iter().enumerate() {
            let Some(Some(expression)) = self.ready.expressions.get(i) else {
                continue;
            };
            if output.take == Take::Samples {
                if let Some(sampled) = self.sampled.get_mut(i)
                    && strikes
                    && sampled.len() < output.width
                {
                    sampled.push(expression.value(&self.variables));
                }
                continue;
            }
            let from = self.ready.from.get(i).copied().unwrap_or(f64::NEG_INFINITY);
            if let Some(gathered) = self.gathered.get_mut(i)
                && t >= from
            {
                gathered.sample(t, expression.value(&self.variables));
            }
        }
    }

    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
