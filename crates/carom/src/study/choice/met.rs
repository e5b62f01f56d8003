//! How do the surfaces of a mechanism meet?

use crate::card::{Range, Values};
use crate::contact::stiffness::effective_radius;
use crate::contact::{self, Calibration, Restitution, Surfaces};
use crate::math;
use crate::mechanics::{Follows, Terms};
use crate::model::Model;
use crate::study::advise::{Known, Purpose, Shape};
use crate::system::Contacted;

/// How the surfaces of one element met in a run.
#[derive(Clone, Debug)]
pub struct Met {
    /// Which: `contact.impact`, `joint.pin`, `joint.arm.limits`, `group.stack`.
    pub definition: String,
    /// Its law.
    pub law: &'static str,
    /// What the law was given: numbers as they stand on its card, SI.
    pub values: Values,
    /// Whether its stiffness, if it has one, is no more than what materials and radii make of it.
    pub stiffness_follows: bool,
    /// The restitution that it was asked for, if any was.
    pub restitution: Option<Restitution>,
    /// What came back in the run: the root of the works of all impacts in restitution over those in compression (Stronge), to three digits, at most 1. What other contacts and joints do meanwhile is not in it. None if nothing
    /// was pressed in and came out again.
    pub returned: Option<f64>,
    /// The work that pressed the surfaces into each other over the energy of their approaches: 1 of free impacts, more where something presses meanwhile; NaN if there was none.
    pub pressed: f64,
    /// How many contacts there were.
    pub contacts: usize,
    /// How many of them are not over.
    pub lasting: usize,
    /// How many of those are at rest: they have lasted for ten times as long as the middle one of those that are over, or for a tenth of the run. Joints with play never rest: what presses on them changes all the time.
    pub resting: usize,
    /// The force that presses on the one that bears most of them at the end, N; NaN if none is at rest.
    pub load: f64,
    /// The least, the middle and the largest approach speed, m/s. Those below the middle have half of the energy of all approaches: many slow touches do not outweigh a blow.
    pub speeds: [f64; 3],
    /// The effective mass at the fastest, kg.
    pub mass: f64,
    /// The hardest force, N.
    pub peak: f64,
    /// The deepest indentation, m.
    pub deepest: f64,
    /// The longest contact that is over, s; NaN if none is.
    pub longest: f64,
    /// What is known of the surfaces, with the radii where they met fastest.
    pub surfaces: Surfaces,
    /// Of a joint with play: that, m.
    pub play: Option<f64>,
}

impl Met {
    /// What is known of the contact, as [`advise`](crate::study::advise) takes it: the speeds from the middle one to the fastest, the mass at the fastest, and the stiffness as it stands in the model; the restitution that the law
    /// is asked for, or what came back in the run where it is asked for none.
    pub fn known(&self) -> Known {
        Known {
            surfaces: self.surfaces.clone(),
            stiffness: self.spring(),
            stiffness_follows: self.stiffness_follows,
            mass: Some(self.mass).filter(|mass| *mass > 0.0),
            speeds: Some([self.speeds[1], self.speeds[2]]).filter(|[slow, _]| *slow > 0.0),
            restitution: self.told(),
            restitution_returned: self.restitution.is_none() && self.returned.is_some(),
            load: Some(self.load).filter(|load| Range::POSITIVE.contains(*load)),
            // A journal in its bearing is a joint with play; outlines are what they are.
            shape: match self.play {
                Some(_) => Shape::Radii,
                None => Shape::Outlines,
            },
            // Of what stays in contact, or is pressed while it meets, the force at rest matters as much as what it returns.
            purpose: match self.resting > 0 || self.is_pressed() {
                true => Purpose::Rest,
                false => Purpose::Impact,
            },
            ..Known::default()
        }
    }
}

impl Met {
    /// K in N/m^n and n of the law, if it has them. A stiffness of a volume is none of an indentation.
    fn spring(&self) -> Option<(f64, f64)> {
        let card = contact::find(self.law).ok()?;
        let stiffness = self.values.get(card.stiffness()?.name)?;
        let exponent = card.exponent(&self.values)?;
        (exponent < VOLUME).then_some((stiffness, exponent))
    }

    /// Whether what presses the surfaces while they touch does most of the work, and not their approach. In a joint with play it is the motion that presses, on and off: that is what impacts there are like.
    pub fn is_pressed(&self) -> bool {
        self.play.is_none() && self.pressed > PRESSED
    }

    fn told(&self) -> Option<Restitution> {
        let returned = self.returned.map(Restitution::Number);
        self.restitution.clone().or(returned)
    }
}

/// Work over the energy of the approaches from which on something else presses surfaces into each other.
const PRESSED: f64 = 2.0;
/// The exponent of a stiffness for each volume, N/m³.
const VOLUME: f64 = 3.0;

/// The element that a contact is defined by: that of a pair in a group is the group.
pub fn definition(element: &str) -> &str {
    match element.strip_prefix("group.") {
        // The name of a group has no dot, that of a pair stands behind one.
        Some(rest) => match rest.find('.') {
            Some(dot) => element.get(..dot + "group.".len()).unwrap_or(element),
            None => element,
        },
        None => element,
    }
}

/// All elements of a model that have a law of contact, as they are named.
pub fn elements(model: &Model) -> Vec<String> {
    let mut elements: Vec<String> = Vec::new();
    for entry in &model.contacts {
        let name = definition(&entry.element()).to_string();
        if !elements.contains(&name) {
            elements.push(name);
        }
    }
    let limits = model.limits.iter();
    elements.extend(limits.map(|entry| format!("joint.{}.limits", entry.name)));
    elements
}

/// How the surfaces of all elements met, hardest first. Stops that turn are left out: laws of contact are about lengths.
pub fn meetings(model: &Model, contacts: &[Contacted]) -> Vec<Met> {
    let mut all: Vec<Met> = Vec::new();
    let mut of: Vec<Times> = Vec::new();
    for contact in contacts.iter().filter(|c| c.unit == "m") {
        let name = definition(&contact.element);
        let at = all.iter().position(|met| met.definition == name);
        let at = at.unwrap_or_else(|| {
            all.push(beginning(model, contact));
            of.push(Times::default());
            all.len() - 1
        });
        let (Some(met), Some(times)) = (all.get_mut(at), of.get_mut(at)) else {
            continue;
        };
        let speed = contact.episode.approach;
        if met.contacts == 0 || speed > met.speeds[2] {
            met.speeds[2] = speed;
            met.mass = contact.episode.mass;
            if let Some(place) = &contact.place {
                let radius = |curvature: f64| match curvature {
                    0.0 => f64::INFINITY,
                    curvature => 1.0 / curvature,
                };
                // A sharp corner has no radius, and is no round body.
                let radii = place.curvatures.map(radius);
                let sound = radii == [f64::INFINITY; 2] || effective_radius(radii).is_ok();
                met.surfaces.radii = sound.then_some(radii);
            }
        }
        let energy = 0.5 * contact.episode.mass * speed * speed;
        times.speeds.push((speed, energy));
        if let Some(e) = contact.stronge() {
            let [compression, _] = contact.course.work;
            times.energy += energy;
            times.works[0] += compression;
            times.works[1] += compression * e * e;
        }
        met.contacts += 1;
        met.lasting += usize::from(!contact.over);
        met.peak = met.peak.max(contact.course.peak[0]);
        met.deepest = met.deepest.max(contact.course.deepest[0]);
        let lasted = contact.episode.end - contact.episode.start;
        if contact.over {
            met.longest = met.longest.max(lasted);
            times.over.push(lasted);
        } else {
            times.lasting.push((lasted, contact.course.force()));
        }
    }
    let run = model.simulation.end - model.simulation.start;
    for (met, times) in all.iter_mut().zip(&mut of) {
        let speeds = &mut times.speeds;
        speeds.sort_by(|a, b| a.0.total_cmp(&b.0));
        met.speeds = [speeds.first(), half(speeds), speeds.last()]
            .map(|found| found.map_or(f64::NAN, |found| found.0));
        let [compression, restitution] = times.works;
        let e = (1e3 * math::sqrt(restitution / compression)).round() / 1e3;
        met.pressed = compression / times.energy;
        met.returned = e.is_finite().then_some(e.min(1.0));
        times.over.sort_by(f64::total_cmp);
        let middle = times.over.get(times.over.len() / 2);
        let rest = middle.map_or(0.1 * run, |middle| 10.0 * middle);
        if met.play.is_none() {
            let resting = times.lasting.iter().filter(|(t, _)| *t >= rest);
            met.load = resting.clone().map(|r| r.1).fold(f64::NAN, f64::max);
            met.resting = resting.count();
        }
    }
    all.sort_by(|a, b| b.peak.total_cmp(&a.peak));
    all
}

/// What is gathered of the contacts of one element.
#[derive(Default)]
struct Times {
    /// Of approach, m/s, with its energy, J.
    speeds: Vec<(f64, f64)>,
    /// Of compression and restitution, J, and the energy of the same approaches.
    works: [f64; 2],
    energy: f64,
    /// How long those lasted that are over, s, …
    over: Vec<f64>,
    /// … and how long those that are not, with the force at the end, N.
    lasting: Vec<(f64, f64)>,
}

/// Where half of the energy of all is reached, in order of speed.
fn half(speeds: &[(f64, f64)]) -> Option<&(f64, f64)> {
    let whole: f64 = speeds.iter().map(|s| s.1).sum();
    let mut sum = 0.0;
    speeds.iter().find(|s| {
        sum += s.1;
        !(sum < 0.5 * whole)
    })
}

fn beginning(model: &Model, contact: &Contacted) -> Met {
    let entry = contact.entry.and_then(|i| model.contacts.get(i));
    let limit = model
        .limits
        .iter()
        .find(|limit| format!("joint.{}.limits", limit.name) == contact.element);
    let terms = match (entry, limit) {
        (Some(entry), _) => Some(entry.contact.terms()),
        (None, Some(limit)) => Some(limit.limit.terms()),
        (None, None) => None,
    };
    let (values, restitution) = terms.map_or((Values::new(), None), given);
    let surfaces = entry.map_or_else(Surfaces::default, |entry| entry.surfaces.clone());
    Met {
        definition: definition(&contact.element).into(),
        law: contact.law,
        stiffness_follows: follows(contact.law, &values, &surfaces),
        values,
        restitution,
        returned: None,
        pressed: f64::NAN,
        contacts: 0,
        lasting: 0,
        resting: 0,
        load: f64::NAN,
        speeds: [f64::NAN; 3],
        mass: f64::NAN,
        peak: 0.0,
        deepest: 0.0,
        longest: f64::NAN,
        surfaces,
        play: entry.and_then(|entry| entry.contact.play()),
    }
}

/// Whether the stiffness of a law is the one that it would get from these surfaces.
fn follows(law: &str, values: &Values, surfaces: &Surfaces) -> bool {
    let Ok(card) = contact::find(law) else {
        return false;
    };
    let supplied = surfaces.supply(card, &Values::new(), Calibration::Published);
    card.stiffness().is_some_and(|spring| {
        let own = supplied.values.get(spring.name);
        own.is_some() && own == values.get(spring.name)
    })
}

/// What a law was given, and what it was asked for.
fn given(terms: &Terms) -> (Values, Option<Restitution>) {
    match &terms.follows {
        Follows::Law(law) => {
            let mut values = Values::new();
            for (parameter, value) in law.values().numbers() {
                values.set_number(parameter.name, value);
            }
            (values, law.asked().cloned())
        }
        Follows::Curved(curved) => (curved.values.clone(), curved.restitution.clone()),
    }
}
