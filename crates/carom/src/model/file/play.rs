//! How does a table of a joint with play become a contact?
//!
//! With a clearance above 0 nothing holds the two places together but contact; with 0 the joint is ideal, and what the table says of contact means nothing.

use crate::contact::materials::Material;
use crate::mechanics::{Contact, Place, play};
use crate::model::file::contacts::{example, is_sharp, radii};
use crate::model::file::follows::Sides;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::tables::{JOINT, Laws};
use crate::model::mechanism::ContactEntry;

/// The keys that mean something in a joint with play only.
const OF_PLAY: [&str; 13] = [
    "journal_radius",
    "pin_radius",
    "length",
    "height",
    "corner_radius",
    "material",
    "materials",
    "law",
    "restitution",
    "calibration",
    "force",
    "rolling",
    "approach_speed_floor",
];

/// What a joint is by its clearance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Ideal,
    Play(f64),
    /// The clearance could not be read.
    Unknown,
}

impl<'a> Reader<'a> {
    /// Whether the joint has play.
    pub fn play_of(&self, record: &Record<'a>) -> Kind {
        match (record.given("clearance"), record.number("clearance")) {
            (true, None) => Kind::Unknown,
            (true, Some(clearance)) if clearance > 0.0 => Kind::Play(clearance),
            _ => Kind::Ideal,
        }
    }

    /// Of an ideal joint: what is said of contact means nothing. With `clearance = 0` that is worth a warning, so that a joint can be made ideal by this one value; without it, it is a mistake. Whether it
    /// can be passed over.
    pub fn without_play(&mut self, record: &Record<'a>) -> bool {
        if !matches!(record.kind, "revolute" | "translational" | "pin-slot") {
            return true;
        }
        if record.given("clearance") {
            self.ideal.push(record.path.clone());
        }
        // What it would be made of is no material that nothing is made of.
        self.both_materials(record);
        let rubs = record.given("friction");
        let used = |key: &str| match (record.kind, key) {
            ("revolute", "journal_radius") | ("translational", "length") => rubs,
            _ => false,
        };
        let mut idle: Vec<&str> = OF_PLAY
            .into_iter()
            .filter(|key| record.given(key) && !used(key))
            .collect();
        let of_laws = record.rest.iter().map(|entry| entry.key.as_str());
        idle.extend(of_laws.filter(|key| Laws::Contact.any_takes(key)));
        self.strange_keys(record);
        let known = record
            .rest
            .iter()
            .all(|entry| Laws::Contact.any_takes(&entry.key));
        if rubs && record.kind == "pin-slot" {
            idle.push("friction");
        }
        if idle.is_empty() || !known {
            return known;
        }
        let keys = format!("`{}`", idle.join("`, `"));
        let means = if idle.len() == 1 { "means" } else { "mean" };
        if record.given("clearance") {
            self.notes
                .warning(
                    &record.place("clearance"),
                    &record.path_of("clearance"),
                    format!("with `clearance` = 0 the joint is ideal, and {keys} {means} nothing"),
                )
                .hint("above 0 the two are held by contact only");
            return true;
        }
        let at = record.entry(idle.first().copied().unwrap_or(""));
        let at = match (at, record.rest.first()) {
            (Some(entry), _) => entry.key_at.clone(),
            (None, Some(entry)) => entry.key_at.clone(),
            _ => record.at.clone(),
        };
        let says = if idle.len() == 1 { "says" } else { "say" };
        self.notes
            .error(
                &at,
                &record.path_of(idle.first().copied().unwrap_or("")),
                format!("{keys} {says} nothing without `clearance`"),
            )
            .hint("clearance = \"0.5 mm\", for one, makes a joint with play; 0 is the ideal joint");
        false
    }

    /// The contact that a joint with play is. `places` are those of the ideal joint.
    pub fn with_play(
        &mut self,
        name: &str,
        record: &Record<'a>,
        places: [Place; 2],
        clearance: f64,
    ) -> Option<ContactEntry> {
        let mut sound = !record.bad;
        if record.given("limits") {
            self.notes
                .error(
                    &record.place("limits"),
                    &record.path_of("limits"),
                    "a joint with play has no stops: its bodies are free of each other until they touch",
                )
                .hint("give the bodies outlines and a [contact.NAME] where they should stop, or leave out the clearance");
            sound = false;
        }
        if let Some((rubbing, _)) = record.law("friction") {
            for key in ["radius", "length"] {
                if let Some(entry) = rubbing.entry(key) {
                    self.notes
                        .warning(
                            &entry.key_at,
                            &rubbing.path_of(key),
                            format!("`{key}` of the friction means nothing in a joint with play"),
                        )
                        .hint("the surfaces of the joint say where they touch");
                }
            }
        }
        let materials = self.both_materials(record);
        let pairs = match record.kind {
            "revolute" => {
                let radius = self.size(record, "journal_radius", "the radius of the journal")?;
                play::revolute(places, radius, clearance)
            }
            "pin-slot" => {
                let radius = self.size(record, "pin_radius", "the radius of the pin")?;
                play::pin_slot(places, radius, clearance)
            }
            _ => {
                let length = self.size(record, "length", "the length of the slider");
                let height = self.size(record, "height", "the height of the slider");
                let corner = record.number("corner_radius").unwrap_or(0.0);
                play::translational(places, length?, height?, corner, clearance)
            }
        };
        let pairs = self.sound(record, pairs)?;
        let sharp = pairs
            .iter()
            .any(|pair| pair.shapes().into_iter().any(is_sharp));
        let sides = Sides {
            unknown: materials.is_none(),
            materials: materials.flatten(),
            to_name_materials: "material = \"steel\", or materials = [\"steel\", \"bronze\"]"
                .into(),
            radii: radii(pairs.iter()),
            example: example(pairs.iter()),
            sharp: sharp.then(|| "the corners of the slider are sharp".into()),
            ends: None,
            // That of a slider lies in the plane.
            length: record
                .number("length")
                .filter(|_| record.kind != "translational"),
        };
        let follows = self.follows(record, &beside(record), &sides)?;
        let bodies = places.map(|place| place.body());
        let contact = Contact::new(bodies, pairs, follows);
        let contact = contact.and_then(|contact| contact.with_play(clearance));
        let contact = self.finish(record, contact)?;
        sound.then(|| ContactEntry {
            name: name.into(),
            joint: Some(places),
            contact,
            surfaces: sides.surfaces(),
        })
    }

    /// Complains about keys that neither the joint nor any law has.
    pub fn strange_keys(&mut self, record: &Record<'a>) {
        for entry in &record.rest {
            if !Laws::Contact.any_takes(&entry.key) {
                self.unknown_of_joint(entry, record);
            }
        }
    }

    /// What is wrong with the law of a joint that cannot be made for other reasons.
    pub fn law_of_play(&mut self, record: &Record<'a>) {
        let unknown = Sides {
            unknown: true,
            ..Sides::default()
        };
        self.follows(record, &beside(record), &unknown);
    }

    /// A length that a joint with play must have.
    fn size(&mut self, record: &Record<'a>, key: &str, what: &str) -> Option<f64> {
        if !record.given(key) {
            self.notes
                .error(
                    &record.at,
                    &record.path_of(key),
                    format!(
                        "`{key}` [m] is missing: with `clearance` above 0 the joint has surfaces"
                    ),
                )
                .allowed("a length [m], > 0")
                .hint(what);
        }
        record.number(key)
    }

    /// The materials of both sides, if any were named; `None` after a complaint.
    #[allow(clippy::option_option)]
    fn both_materials(&mut self, record: &Record<'a>) -> Option<Option<[Material; 2]>> {
        if let Some(node) = record.node("material") {
            let material = self.material(node, &record.path_of("material"))?;
            return Some(Some([material.clone(), material]));
        }
        let Some(node) = record.node("materials") else {
            return Some(None);
        };
        let path = record.path_of("materials");
        let [first, second] = self.pair(node, &path, "two materials, [\"steel\", \"bronze\"]")?;
        match [self.material(first, &path), self.material(second, &path)] {
            [Some(first), Some(second)] => Some(Some([first, second])),
            _ => None,
        }
    }
}

/// The keys of a joint that are not those of its law.
fn beside(record: &Record<'_>) -> Vec<&'static str> {
    let kinds = JOINT.kinds.iter();
    let own = kinds.filter(|kind| kind.name == record.kind);
    let keys = own.flat_map(|kind| kind.keys).chain(JOINT.keys);
    keys.map(|key| key.name).collect()
}
