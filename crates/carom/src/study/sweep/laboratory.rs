//! How is one free impact of a sweep computed?

use crate::card::{Need, Values};
use crate::contact::{self, Calibration, Card, Law, Restitution};
use crate::impact::{Failed, Impact, Lab, begin};
use crate::model::expression::{Expression, Scope, Symbol};
use crate::model::units::Dimension;
use crate::study::compare::heeds_restitution;

/// What is found about an impact, by the names that expressions use, with SI units. The first need no simulation, the next one the quick way only.
const FOUND: [(&str, &str); 17] = [
    ("approach_speed", "m/s"),
    ("mass", "kg"),
    ("requested", ""),
    ("coefficient", ""),
    ("restitution", ""),
    ("separation_speed", "m/s"),
    ("max_indentation", "m"),
    ("max_indentation_time", "s"),
    ("peak_force", "N"),
    ("peak_force_time", "s"),
    ("min_force", "N"),
    ("duration", "s"),
    ("impulse", "N s"),
    ("separation_indentation", "m"),
    ("stored_energy_max", "J"),
    ("dissipated_energy", "J"),
    ("energy_residual", "J"),
];
/// How many of them need no simulation, and how many no more than the restitution.
const BEGUN: usize = 4;
const QUICK: usize = 6;

/// What a varied parameter sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Law,
    Speed,
    Mass,
    Restitution,
    Calibration,
    /// A number of the law.
    Number(String),
    /// A word of the law.
    Word(String),
}

/// One free impact, before anything is varied.
#[derive(Clone, Debug)]
pub struct Laboratory {
    pub(super) law: String,
    pub(super) speed: Option<f64>,
    pub(super) mass: Option<f64>,
    pub(super) restitution: Option<f64>,
    pub(super) exact: bool,
    pub(super) rtol: f64,
    pub(super) values: Values,
    /// One a varied parameter.
    pub(super) targets: Vec<Target>,
}

/// The names of an expression about impacts.
pub(super) struct Names<'a> {
    /// Name and dimension of every varied parameter; none of one that takes words.
    pub varied: &'a [(String, Option<Dimension>)],
    /// What each measures, with or without a unit, if that is known.
    pub meant: &'a [Option<Dimension>],
}

/// The unit of something that is found.
pub(super) fn unit(name: &str) -> Option<&'static str> {
    FOUND
        .iter()
        .find(|found| found.0 == name)
        .map(|found| found.1)
}

/// Whether the law's coefficient occurs, whose unit is the law's own affair.
pub(super) fn uses_coefficient(expression: &Expression) -> bool {
    FOUND
        .iter()
        .position(|found| found.0 == "coefficient")
        .is_some_and(|i| expression.uses(i))
}

/// Whether the varied parameter with this place occurs.
pub(super) fn uses_varied(expression: &Expression, place: usize) -> bool {
    expression.uses(FOUND.len() + place)
}

/// What a number of an impact measures. `None` if the laws that may act do not agree, or if it hangs on a number that is varied.
pub(super) fn measures(
    cards: &[&Card],
    values: &Values,
    is_varied: &dyn Fn(&str) -> bool,
    name: &str,
) -> Option<Dimension> {
    match name {
        "speed" => return Some(Dimension::SPEED),
        "mass" => return Some(Dimension::MASS),
        "restitution" => return Some(Dimension::NONE),
        _ => {}
    }
    let of = |card: &&Card| {
        let own = card.parameters.iter().find(|p| p.name == name)?;
        let fixed = card
            .parameters
            .iter()
            .filter(|p| p.unit.is_empty() && !is_varied(p.name));
        let names = fixed.filter_map(|p| {
            let default = match p.need {
                Need::Default(value) => Some(value),
                _ => None,
            };
            Some((p.symbol, values.get(p.name).or(default)?))
        });
        let names: Vec<(&str, f64)> = names.collect();
        Some(Dimension::of(own.unit, &names).ok())
    };
    let mut all = cards.iter().filter_map(of);
    let first = all.next()??;
    all.all(|other| other.is_some_and(|other| other.fits(first)))
        .then_some(first)
}

impl Scope for Names<'_> {
    fn look_up(&self, name: &str) -> Option<Symbol> {
        if let Some(index) = FOUND.iter().position(|found| found.0 == name) {
            let unit = FOUND.get(index).map_or("", |found| found.1);
            let dimension = Dimension::of(unit, &[]).ok()?;
            return Some(Symbol::Variable { index, dimension });
        }
        let place = self.varied.iter().position(|varied| varied.0 == name)?;
        let dimension = self.varied.get(place)?.1?;
        Some(Symbol::Variable {
            index: FOUND.len() + place,
            dimension,
        })
    }

    fn meant(&self, name: &str, dimension: Dimension) -> Option<Dimension> {
        if name == "coefficient" {
            return None;
        }
        match self.varied.iter().position(|varied| varied.0 == name) {
            // What the laboratory finds goes first, as above.
            Some(place) if unit(name).is_none() => self.meant.get(place).copied().flatten(),
            _ => Some(dimension),
        }
    }

    fn names(&self) -> Vec<String> {
        let found = FOUND.iter().map(|found| found.0.to_string());
        let varied = self.varied.iter().filter(|varied| varied.1.is_some());
        found.chain(varied.map(|varied| varied.0.clone())).collect()
    }
}

/// How much of an impact must be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Begun,
    Quick,
    Whole,
}

/// Computes impacts, one after the other.
pub(super) struct Bench<'a> {
    about: &'a Laboratory,
    words: Vec<Option<&'a [String]>>,
    expressions: &'a [Expression],
    lab: Lab,
    way: Way,
    values: Values,
    /// The law that was looked up last.
    card: Option<&'static Card>,
    /// What is found, then the varied values.
    row: Vec<f64>,
}

impl<'a> Bench<'a> {
    /// `words` are those of every varied parameter, if it takes any.
    pub fn new(
        about: &'a Laboratory,
        words: Vec<Option<&'a [String]>>,
        expressions: &'a [Expression],
    ) -> Result<Self, String> {
        let used = expressions.iter().flat_map(Expression::variables);
        let way = used.map(|index| match *index {
            i if i < BEGUN || i >= FOUND.len() => Way::Begun,
            i if i < QUICK => Way::Quick,
            _ => Way::Whole,
        });
        Ok(Self {
            about,
            row: vec![f64::NAN; FOUND.len() + words.len()],
            words,
            expressions,
            lab: Lab::new(about.rtol).map_err(|fault| fault.to_string())?,
            way: way.max().unwrap_or(Way::Begun),
            values: about.values.clone(),
            card: None,
        })
    }

    /// The outputs of one impact.
    pub fn run(&mut self, given: &[f64], row: &mut [f64]) -> Result<(), String> {
        self.find(given).map_err(|fault| match fault {
            Wrong::Faults(faults) => {
                let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
                all.join("; ")
            }
            Wrong::Failed(failed) => failed.to_string(),
            Wrong::Missing(what) => format!("impact.{what} is missing"),
        })?;
        for (value, expression) in row.iter_mut().zip(self.expressions) {
            *value = expression.value(&self.row);
        }
        Ok(())
    }

    /// The laws that do not look at the restitution which is asked for. Of several laws it is told where it is varied, or where none looks at it.
    pub fn deaf(&self, given: &[f64]) -> Vec<&'static str> {
        let about = self.about;
        let place = |target: &Target| about.targets.iter().position(|known| known == target);
        if about.exact || place(&Target::Calibration).is_some() {
            return Vec::new();
        }
        let varied = place(&Target::Restitution);
        let number = |target: &Target, own: Option<f64>| match place(target) {
            Some(place) => given.get(place).copied(),
            None => own,
        };
        let (Some(e), Some(speed), Some(mass)) = (
            number(&Target::Restitution, about.restitution),
            number(&Target::Speed, about.speed),
            number(&Target::Mass, about.mass),
        ) else {
            return Vec::new();
        };
        let words = place(&Target::Law).and_then(|place| *self.words.get(place)?);
        let laws = words.unwrap_or(std::slice::from_ref(&about.law));
        let cards = laws.iter().filter_map(|law| contact::find(law).ok());
        let e = Restitution::Number(e);
        let deaf = cards.filter(|card| !heeds_restitution(card, &self.values, &e, speed, mass));
        let deaf: Vec<&str> = deaf.map(|card| card.id).collect();
        match varied.is_some() || deaf.len() == laws.len() {
            true => deaf,
            false => Vec::new(),
        }
    }

    fn find(&mut self, given: &[f64]) -> Result<(), Wrong> {
        let about = self.about;
        let mut id = about.law.as_str();
        let (mut speed, mut mass, mut e) = (about.speed, about.mass, about.restitution);
        let mut exact = about.exact;
        for ((target, words), value) in about.targets.iter().zip(&self.words).zip(given) {
            let word = words
                .and_then(|words| words.get(*value as usize))
                .map_or("", String::as_str);
            match target {
                Target::Law => id = word,
                Target::Speed => speed = Some(*value),
                Target::Mass => mass = Some(*value),
                Target::Restitution => e = Some(*value),
                Target::Calibration => exact = word == "exact",
                Target::Number(name) => self.values.set_number(name, *value),
                Target::Word(name) => self.values.set_word(name, word),
            }
        }
        let speed = speed.ok_or(Wrong::Missing("speed"))?;
        let mass = mass.ok_or(Wrong::Missing("mass"))?;
        let card = match self.card {
            Some(card) if card.id == id => card,
            _ => contact::find(id).map_err(|fault| Wrong::Faults(vec![fault]))?,
        };
        self.card = Some(card);
        let calibration = if exact {
            Calibration::Exact
        } else {
            Calibration::Published
        };
        let e = e.map(Restitution::Number);
        let law = Law::new(card, &self.values, e, calibration).map_err(Wrong::Faults)?;
        let touch = begin(&law, speed, mass)?;
        let requested = law.requested(speed).map_err(Failed::Input)?;
        self.row.fill(f64::NAN);
        let coefficient = law.own_coefficient(&touch).unwrap_or(f64::NAN);
        let begun = [speed, mass, requested.unwrap_or(f64::NAN), coefficient];
        for (to, from) in self.row.iter_mut().zip(begun) {
            *to = from;
        }
        let found: &[f64] = match self.way {
            Way::Begun => &[],
            Way::Quick => {
                let free = self.lab.free(card.id, &touch)?;
                &[free.restitution, free.restitution * speed]
            }
            Way::Whole => &whole(&self.lab.simulate(&law, touch, 0)?),
        };
        for (to, from) in self.row.iter_mut().skip(BEGUN).zip(found) {
            *to = *from;
        }
        for (to, from) in self.row.iter_mut().skip(FOUND.len()).zip(given) {
            *to = *from;
        }
        Ok(())
    }
}

/// In the order of [`FOUND`].
fn whole(impact: &Impact) -> [f64; FOUND.len() - BEGUN] {
    [
        impact.restitution,
        impact.separation_speed(),
        impact.deepest.delta,
        impact.deepest.time,
        impact.peak.force,
        impact.peak.time,
        impact.min_force,
        impact.duration(),
        impact.impulse,
        impact.end.delta,
        impact.stored_energy_max,
        impact.dissipated(),
        impact.energy_residual,
    ]
}

enum Wrong {
    Faults(Vec<crate::card::Fault>),
    Failed(Failed),
    Missing(&'static str),
}

impl From<Failed> for Wrong {
    fn from(failed: Failed) -> Self {
        Wrong::Failed(failed)
    }
}
