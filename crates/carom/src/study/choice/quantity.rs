//! Which numbers of a run are compared?

use std::fmt;

use crate::model::{Account, Channel, Model};
use crate::study::sweep::{Gathered, QUANTITIES, Take};
use crate::study::verify::Underway;
use crate::study::verify::extremes::{Extreme, Extremes, Nature};
use crate::system::{Contacted, Frame, Outcome};

use super::met::{definition, elements};

/// A number of a run: `max driver.motor.moment`, `max contacts.peak_force`, `count contacts`.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// As it is typed.
    pub name: String,
    /// SI unit; may be empty.
    pub unit: &'static str,
    /// Which of all its values.
    pub take: Take,
    of: Of,
}

#[derive(Clone, Debug)]
enum Of {
    Channel(Channel),
    /// Of contacts, of one element only where one is named; nothing where they are only counted.
    Contacts(Option<fn(&Contacted) -> Option<f64>>, Option<String>),
}

/// What is wrong with a quantity as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread(String);

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misread {}

impl Quantity {
    /// Reads `TAKE CHANNEL`, `TAKE contacts.NUMBER` or `count contacts`, the last two also `… of ELEMENT`; a channel alone is its largest magnitude.
    pub fn parse(text: &str, model: &Model) -> Result<Self, Misread> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let wrong = |message: String| Err(Misread(format!("`{}`: {message}", text.trim())));
        let (take, name, element) = match words.as_slice() {
            [name] => ("size", *name, None),
            [take, name] => (*take, *name, None),
            [take, name, "of", element] => (*take, *name, Some(*element)),
            _ => {
                return wrong(
                    "this is not WHICH CHANNEL. Hint: such as \"max driver.motor.moment\", \"last slider.x\", \"max contacts.peak_force\", \"count contacts of joint.pin\"".into(),
                );
            }
        };
        let Some(take) = Take::of(take).filter(|take| Take::OF_CONTACTS.contains(take)) else {
            let known: Vec<&str> = Take::OF_CONTACTS.iter().map(|take| take.word()).collect();
            return wrong(format!(
                "`{take}` is none of {}. Hint: such as \"max {name}\"",
                known.join(", ")
            ));
        };
        if let Some(element) = element {
            let known = elements(model);
            if !name.starts_with("contacts") {
                return wrong(format!(
                    "a channel is of one element by its name. Hint: such as \"max contacts.peak_force of {element}\""
                ));
            }
            if !known.iter().any(|known| known == element) {
                let known = match known.is_empty() {
                    true => "none".into(),
                    false => known.join(", "),
                };
                return wrong(format!(
                    "the model has no contact {element}. It has {known}"
                ));
            }
        }
        let of_channel = Take::OF_CHANNELS.contains(&take);
        let (of, unit) = if name == "contacts" {
            if take != Take::Count {
                return wrong("contacts are counted: \"count contacts\". Hint: or a number of theirs, such as \"max contacts.peak_force\"".into());
            }
            (Of::Contacts(None, element.map(String::from)), "")
        } else if let Some(number) = name.strip_prefix("contacts.") {
            let Some(known) = QUANTITIES.iter().find(|known| known.name == number) else {
                let known: Vec<&str> = QUANTITIES.iter().map(|known| known.name).collect();
                return wrong(format!(
                    "contacts have no {number}. They have {}",
                    known.join(", ")
                ));
            };
            (
                Of::Contacts(Some(known.of), element.map(String::from)),
                known.unit,
            )
        } else {
            match Channel::parse(name, model) {
                Ok(_) if !of_channel => {
                    return wrong(format!(
                        "a channel has no {}. Hint: such as \"max {name}\"",
                        take.word()
                    ));
                }
                Ok(channel) => (Of::Channel(channel), channel.unit(model)),
                Err(none) if none.nearest.is_empty() => return wrong(none.to_string()),
                Err(none) => {
                    return wrong(format!("{none}. Hint: {}?", none.nearest.join(", ")));
                }
            }
        };
        let of_element = element.map(|element| format!(" of {element}"));
        Ok(Self {
            name: format!("{} {name}{}", take.word(), of_element.unwrap_or_default()),
            unit: if take == Take::Count { "" } else { unit },
            take,
            of,
        })
    }

    /// What is compared where nothing is asked for: how many contacts an element has, how hard and how deep they are and what they cost, and the largest magnitudes of the channels that the model names.
    pub fn usual(model: &Model, at: &str) -> Vec<Self> {
        let contacts = [
            (Take::Count, None),
            (Take::Max, Some("peak_force")),
            (Take::Max, Some("max_indentation")),
            (Take::Sum, Some("dissipated_energy")),
        ];
        // Where there are others the same words without it are of all.
        let of_element = match elements(model).len() {
            0 | 1 => String::new(),
            _ => format!(" of {at}"),
        };
        let contacts = contacts.into_iter().map(|(take, number)| {
            let known = QUANTITIES.iter().find(|known| Some(known.name) == number);
            let name = known.map_or_else(
                || "contacts".into(),
                |known| format!("contacts.{}", known.name),
            );
            Self {
                name: format!("{} {name}{of_element}", take.word()),
                unit: known.map_or("", |known| known.unit),
                take,
                of: Of::Contacts(known.map(|known| known.of), Some(at.into())),
            }
        });
        // What the energies lack is the error of the computation, whatever the law.
        let channels = model.simulation.channels.iter();
        let residual = Channel::Energy(Account::Residual);
        let channels = channels.filter(|channel| **channel != residual);
        let channels = channels.take(CHANNELS);
        let channels = channels.map(|channel| Self {
            name: format!("{} {}", Take::Size.word(), channel.name(model)),
            unit: channel.unit(model),
            take: Take::Size,
            of: Of::Channel(*channel),
        });
        contacts.chain(channels).collect()
    }
}

/// Channels compared unasked at most.
const CHANNELS: usize = 8;

/// Takes the quantities from a run; `heard` is who hears of it.
pub(super) struct Taking<'a, H> {
    pub heard: &'a H,
    /// How far the run is, and how often it has asked whether to go on.
    pub underway: Option<Underway>,
    pub asked: u64,
    quantities: &'a [Quantity],
    gathered: Vec<Gathered>,
    /// Of the channels, between samples too: laws whose peaks lie at other times than the samples must not differ by that.
    extremes: Extremes,
}

impl<'a, H> Taking<'a, H> {
    /// The channels to be sampled, and what takes them.
    pub fn of(quantities: &'a [Quantity], heard: &'a H) -> (Vec<Channel>, Self) {
        let channels = quantities.iter().filter_map(|quantity| match quantity.of {
            Of::Channel(channel) => Some(channel),
            Of::Contacts(..) => None,
        });
        let mut channels: Vec<Channel> = channels.collect();
        if channels.is_empty() {
            // None asked for would be all there are.
            channels.push(Channel::Violation);
        }
        let taking = Self {
            heard,
            underway: None,
            asked: 0,
            quantities,
            gathered: vec![Gathered::NONE; channels.len()],
            extremes: Extremes::new(
                channels
                    .iter()
                    .map(|c| Nature::of(c, true, false))
                    .collect(),
            ),
        };
        (channels, taking)
    }

    /// A sample of all channels.
    pub fn note(&mut self, t: f64, values: &[f64]) {
        for (gathered, value) in self.gathered.iter_mut().zip(values) {
            gathered.sample(t, *value);
        }
    }

    /// Whether anything is to be known between samples.
    pub fn looks(&self) -> bool {
        let extreme = |quantity: &Quantity| {
            let of_channel = matches!(quantity.of, Of::Channel(_));
            of_channel && extreme(quantity.take, &[Extreme::default(); 2]).is_some()
        };
        self.quantities.iter().any(extreme)
    }

    /// All channels at an instant.
    pub fn look(&mut self, frame: &Frame<'_>) {
        self.extremes.instant(frame.t, frame.moment, frame.values);
    }

    /// The quantities, once the run is over.
    pub fn values(self, outcome: &Outcome) -> Vec<f64> {
        let mut sampled = self.gathered.iter().zip(self.extremes.finish());
        let of_contacts = |of: Option<fn(&Contacted) -> Option<f64>>, at: Option<&str>, take| {
            let mut gathered = Gathered::NONE;
            let counts = |element: &str| at.is_none_or(|at| definition(element) == at);
            for contact in outcome.contacts.iter().filter(|c| counts(&c.element)) {
                if let Some(value) = of.map_or(Some(1.0), |of| of(contact)) {
                    gathered.one(value);
                }
            }
            gathered.taken(take)
        };
        let value = |quantity: &Quantity| match &quantity.of {
            Of::Channel(_) => sampled.next().map_or(f64::NAN, |(gathered, extremes)| {
                let between = extreme(quantity.take, &extremes).filter(|x| x.is_finite());
                match (gathered.taken(quantity.take), between) {
                    (sampled, Some(between)) if sampled.is_finite() => between,
                    (sampled, _) => sampled,
                }
            }),
            Of::Contacts(of, at) => of_contacts(*of, at.as_deref(), quantity.take),
        };
        self.quantities.iter().map(value).collect()
    }
}

/// What is taken of a channel, from its least and its largest; none where that takes more.
fn extreme(take: Take, [least, largest]: &[Extreme; 2]) -> Option<f64> {
    let (low, high) = (least.value, largest.value);
    match take {
        Take::Max => Some(high),
        Take::Min => Some(low),
        Take::Range => Some(high - low),
        Take::Size => Some(high.abs().max(low.abs())),
        _ => None,
    }
}
