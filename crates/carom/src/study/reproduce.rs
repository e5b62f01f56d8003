//! Which figures of the literature can be computed again, and do the papers' claims about them hold?
//!
//! Every [`Figure`] is one entry of a table: where it is printed, what it shows, the inputs with what had to be assumed, the misprints that touch it, and the function that computes it. It becomes pictures and
//! a list of [`Claim`]s, each with the number found and how it was judged. A claim that does not hold is a finding, not a failure. [`gallery()`] sets all of them on one page.

mod clearance;
mod corral;
mod damping;
mod errata;
mod flores;
mod gallery;
mod journal;
mod machado;
mod motion;
mod pendulums;
mod poursina;
mod rubbing;
mod xiong;

use std::fmt;

use crate::card::{Citation, Fault, Values, nearest};
use crate::contact::{Calibration, Law, find};
use crate::impact::{Accuracy, Failed, Impact, simulate};
use crate::report::gallery::Table;
use crate::report::plot::{Chart, PlotError};
use crate::report::sketch::Sketch;
use crate::solve::{Failure, Invalid};
use crate::study::many;

pub use errata::Erratum;
pub use gallery::gallery;

/// A figure of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// As it is typed: the first author's family name, the year and the figure would be long; `s1-fig3` is source 1, figure 3.
    pub id: &'static str,
    /// Where it is printed; `equation` holds the number of the figure.
    pub paper: Citation,
    /// What it shows.
    pub shows: &'static str,
    /// The inputs, as the paper gives them.
    pub inputs: &'static str,
    /// What the paper does not give and had to be assumed; empty if nothing.
    pub assumed: &'static str,
    /// What is printed wrongly and touches it.
    pub errata: &'static [Erratum],
    /// The model file that is run for it, in `models`; empty if none is.
    pub model: &'static str,
    compute: fn() -> Result<Reproduction, Trouble>,
}

impl Figure {
    /// Computes it.
    pub fn reproduce(&self) -> Result<Reproduction, Trouble> {
        (self.compute)()
    }
}

/// Computes figures, on all processors where the feature `threads` is on, and hands each with what came of it to `then`; the answers come in the order of the figures. What comes out does not depend on the number of
/// processors; only the order in which `then` is called does.
pub fn reproduce<R: Send>(
    figures: &[&'static Figure],
    then: impl Fn(&'static Figure, Result<Reproduction, Trouble>) -> R + Sync,
) -> Vec<R> {
    many::each(figures, |figure| then(figure, figure.reproduce()))
}

/// A figure computed again.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// The pictures, at least one.
    pub pictures: Vec<Picture>,
    /// Numbers that are better read than drawn.
    pub tables: Vec<Table>,
    /// What the paper says about it, checked.
    pub claims: Vec<Claim>,
}

/// One picture of a figure.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What distinguishes it among the figure's pictures, as its file is named: `b`; empty for the first.
    pub name: &'static str,
    /// A sentence below it; empty if the title says all.
    pub caption: &'static str,
    drawn: Drawn,
}

#[derive(Clone, Debug)]
enum Drawn {
    Chart(Chart),
    Sketch(Sketch),
}

impl Picture {
    /// As SVG text.
    pub fn svg(&self) -> Result<String, PlotError> {
        match &self.drawn {
            Drawn::Chart(chart) => chart.svg(),
            Drawn::Sketch(sketch) => sketch.svg(),
        }
    }

    /// As the bytes of a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        match &self.drawn {
            Drawn::Chart(chart) => chart.png(),
            Drawn::Sketch(sketch) => sketch.png(),
        }
    }

    /// Its numbers, as comma-separated values.
    pub fn csv(&self) -> String {
        match &self.drawn {
            Drawn::Chart(chart) => chart.csv(),
            Drawn::Sketch(sketch) => sketch.csv(),
        }
    }

    /// How its files are named, without ending, if this is the figure's id.
    pub fn stem(&self, id: &str) -> String {
        match self.name {
            "" => id.into(),
            name => format!("{id}-{name}"),
        }
    }
}

impl Reproduction {
    fn new(chart: Chart, claims: Vec<Claim>) -> Self {
        Self::of(Drawn::Chart(chart), claims)
    }

    /// Of bodies instead of curves.
    fn drawn(sketch: Sketch, claims: Vec<Claim>) -> Self {
        Self::of(Drawn::Sketch(sketch), claims)
    }

    fn of(drawn: Drawn, claims: Vec<Claim>) -> Self {
        let first = Picture {
            name: "",
            caption: "",
            drawn,
        };
        Self {
            pictures: vec![first],
            tables: Vec::new(),
            claims,
        }
    }

    /// With another picture, of this name and with this sentence below it.
    fn and(mut self, name: &'static str, caption: &'static str, chart: Chart) -> Self {
        self.pictures.push(Picture {
            name,
            caption,
            drawn: Drawn::Chart(chart),
        });
        self
    }

    /// With a table of numbers.
    fn table(mut self, table: Table) -> Self {
        self.tables.push(table);
        self
    }
}

/// A sentence of a paper, and what the numbers say.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What is claimed, in short.
    pub claim: &'static str,
    /// How it was judged.
    pub judged_by: &'static str,
    /// Whether it holds by that measure.
    pub holds: bool,
    /// The numbers found.
    pub found: Vec<Number>,
}

/// A number with its name and unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// What it is.
    pub name: String,
    /// Its value, in SI units.
    pub value: f64,
    /// The unit; empty for a pure number.
    pub unit: &'static str,
    /// Whether it is one of those that tell most.
    pub telling: bool,
}

impl Claim {
    fn new(claim: &'static str, judged_by: &'static str, holds: bool) -> Self {
        Self {
            claim,
            judged_by,
            holds,
            found: Vec::new(),
        }
    }

    fn number(mut self, name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        self.found.push(Number {
            name: name.into(),
            value,
            unit,
            telling: false,
        });
        self
    }

    /// The numbers of these names tell most: they stand in the table of all claims. Where none does, the first two do.
    fn telling(mut self, names: &[&str]) -> Self {
        for number in &mut self.found {
            number.telling = names.contains(&number.name.as_str());
        }
        self
    }

    /// The number of this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        let number = self.found.iter().find(|number| number.name == name);
        number.map(|number| number.value)
    }
}

impl Number {
    /// Value and unit: five digits, in a power of a thousand where that is usual: `15.467 µm`.
    pub fn shown(&self) -> String {
        let Self { value, unit, .. } = self;
        let scale = match (*unit, value.abs()) {
            ("m" | "s" | "N" | "J", x) if (1e-9..1e-3).contains(&x) => Some((1e6, "µ")),
            ("m" | "s" | "N" | "J", x) if (1e-3..0.1).contains(&x) => Some((1e3, "m")),
            ("N", x) if x >= 1e4 => Some((1e-3, "k")),
            _ => None,
        };
        let (shown, prefix) =
            scale.map_or((*value, ""), |(factor, prefix)| (value * factor, prefix));
        let space = if unit.is_empty() { "" } else { " " };
        format!("{}{space}{prefix}{unit}", digits(shown))
    }
}

impl fmt::Display for Number {
    /// `deepest = 15.467 µm`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.shown())
    }
}

/// Five significant digits, without zeros that say nothing.
fn digits(value: f64) -> String {
    let text = format!("{value:.4e}");
    let exponent: i32 = text
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    if !(-4..=6).contains(&exponent) {
        return format!("{value:.2e}");
    }
    let text = format!("{value:.*}", usize::try_from(4 - exponent).unwrap_or(0));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

/// Why a figure could not be computed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Trouble {
    /// An impact had no result.
    Impact(Failed),
    /// A motion with several contacts failed.
    Motion(Failure),
    /// A law or the integrator refused what the table says; it would be a mistake of the table.
    Refused(String),
}

impl From<Failed> for Trouble {
    fn from(failed: Failed) -> Self {
        Self::Impact(failed)
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Refused(fault.to_string())
    }
}

impl From<Vec<Fault>> for Trouble {
    fn from(faults: Vec<Fault>) -> Self {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Self::Refused(faults.join("; "))
    }
}

impl From<Vec<Invalid>> for Trouble {
    fn from(faults: Vec<Invalid>) -> Self {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Self::Refused(faults.join("; "))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impact(failed) => failed.fmt(f),
            Self::Motion(failure) => failure.fmt(f),
            Self::Refused(words) => f.write_str(words),
        }
    }
}

impl std::error::Error for Trouble {}

/// All figures, paper by paper.
pub fn figures() -> impl Iterator<Item = &'static Figure> {
    [
        flores::FIGURES,
        machado::FIGURES,
        journal::FIGURES,
        rubbing::FIGURES,
        clearance::FIGURES,
        poursina::OUTLINE,
        damping::FIGURES,
        poursina::ACCURACY,
        pendulums::FIGURES,
        corral::FIGURES,
        xiong::FIGURES,
    ]
    .into_iter()
    .flatten()
}

/// The figure of this id; else the nearest ids.
pub fn figure(id: &str) -> Result<&'static Figure, Vec<&'static str>> {
    figures()
        .find(|figure| figure.id == id)
        .ok_or_else(|| nearest(id, figures().map(|figure| figure.id)))
}

/// How many intervals a drawn history has.
const SAMPLES: usize = 400;

/// A law of this id with K, n = 3/2 and, unless it is NaN, a restitution.
fn law(id: &str, stiffness: f64, restitution: f64) -> Result<Law, Trouble> {
    let mut values = Values::new().number("stiffness", stiffness);
    if !restitution.is_nan() {
        values = values.number("restitution", restitution);
    }
    Ok(Law::new(find(id)?, &values, None, Calibration::Published)?)
}

/// One impact with its history.
fn impact(law: &Law, v0: f64, mass: f64) -> Result<Impact, Trouble> {
    let accuracy = Accuracy {
        samples: SAMPLES,
        ..Accuracy::default()
    };
    Ok(simulate(law, v0, mass, &accuracy)?)
}

/// Numbers from 0 to 1 in so many equal steps.
fn unit_interval(steps: u32) -> impl Iterator<Item = f64> + Clone {
    (0..=steps).map(move |i| f64::from(i) / f64::from(steps))
}
