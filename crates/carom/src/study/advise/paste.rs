//! What is pasted into a model file for a law?

use crate::card::{Parameter, Role, Values, rounded, short};
use crate::contact::materials::{self, Material};
use crate::contact::{Calibration, Restitution, Surfaces};
use crate::mechanics::Contact;
use crate::model::Expression;
use crate::model::file::Standing;
use crate::model::units::pretty;

use super::{Advice, Geometry, Judged, Known};

/// What comes back is told beside the restitution asked for where it is off by more than this.
pub const MISSED: f64 = 5e-4;

/// The table that a law is pasted into: its heading, and what it has beside the law.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paste {
    /// `contact.impact`, `joint.pin`.
    pub heading: String,
    /// Key, value as it is written, and a remark, which may be empty.
    pub beside: Vec<(String, String, String)>,
    /// Tables of the element that stand under headings of their own, and stay.
    pub apart: Vec<String>,
    /// What was given beside the model file and has no place in this table: paths with their values. They belong to the run that was tried.
    pub elsewhere: Vec<(String, String)>,
    /// What the file says of the surfaces, in this table or beside it: numbers of a law that follow from them are not written, so that they stay true when somebody changes a clearance.
    pub surfaces: Surfaces,
    /// What slower touches count as with a law whose damper follows the approach speed; none where the file says it, or the usual one does.
    pub floor: Option<Floor>,
}

/// An approach speed (m/s) that slower touches count as, where the usual one is not what laws are judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Floor {
    /// What presses the bodies does the work, and not their approach.
    Pressed(f64),
    /// They meet slower than the usual one.
    Slow(f64),
}

impl Floor {
    /// The speed, m/s.
    pub fn speed(self) -> f64 {
        let (Floor::Pressed(speed) | Floor::Slow(speed)) = self;
        speed
    }

    /// What is known asks for this one: a tenth of the slowest approach, if that is below the `usual` floor.
    pub fn of(known: &Known, usual: f64) -> Option<Self> {
        /// The slowest approach over it: touches that are a little slower than was said are what they are.
        const BELOW: f64 = 10.0;
        let [slowest, _] = known.speeds?;
        (slowest < usual).then_some(Floor::Slow(slowest / BELOW))
    }

    fn remark(self) -> &'static str {
        match self {
            Floor::Pressed(_) => {
                "m/s, as it was tried: what presses the bodies counts here, not their approach"
            }
            Floor::Slow(_) => "m/s, a tenth of the slowest approach: slower touches count as this",
        }
    }
}

/// The number of a law that follows from how far yield has gone.
const LIMITING: &str = "limiting_pressure";

/// Beside a stiffness that follows from the clearance in a way that no key of a joint says: as deep as Liu's form, or of materials that need a table.
const OF_THIS_CLEARANCE: &str = "for this clearance alone";

impl Paste {
    /// A table of its own: `[contact.impact]`, or `[joint.pin]` for a journal in its bearing. The two places it stands between are the reader's to name.
    pub fn new(advice: &Advice, known: &Known) -> Self {
        let joint = matches!(advice.geometry, Geometry::Loose | Geometry::Conformal);
        let mut surfaces = Surfaces::default();
        let mut beside = Vec::new();
        let mut put = |key: &str, value: String, remark: &str| {
            beside.push((key.into(), value, remark.into()));
        };
        if joint {
            put("type", "\"revolute\"".into(), "");
            put(
                "between",
                "[\"rod.A\", \"slider.A\"]".into(),
                "your own points: the first has the journal, the second the bearing",
            );
            surfaces = Surfaces {
                materials: None,
                ..known.surfaces.clone()
            };
            if let Some([a, b]) = known.surfaces.radii {
                put("clearance", rounded((a + b).abs()), "m");
                put("journal_radius", rounded(a.max(b)), "m");
                if let Some((key, value, materials)) = named(&known.surfaces.materials, a < b) {
                    put(key, value, "");
                    surfaces.materials = Some(materials);
                }
            }
            if let Some(length) = known.surfaces.length {
                put("length", rounded(length), "m");
            }
        } else {
            let [key, value, remark] = BETWEEN;
            put(key, value.into(), remark);
        }
        Self {
            heading: if joint { "joint.pin" } else { CONTACT }.into(),
            beside,
            apart: Vec::new(),
            elsewhere: Vec::new(),
            surfaces,
            floor: Floor::of(known, Contact::SLOWEST),
        }
    }

    /// The table of an element that stands in a model file already, with what that says of its surfaces.
    pub fn of(element: &str, standing: Standing, surfaces: Surfaces) -> Self {
        let plain = |(key, value)| (key, value, String::new());
        Self {
            heading: element.into(),
            beside: standing.keys.into_iter().map(plain).collect(),
            apart: standing.apart,
            elsewhere: standing.elsewhere,
            surfaces,
            floor: None,
        }
    }

    /// The table of a joint in a model file with the length and the materials of these surfaces, where they are others than in the file. Materials that need a table of their own have no place here: their numbers stand in the law.
    pub fn with(mut self, asked: &Surfaces) -> Self {
        if !self.heading.starts_with("joint.") {
            return self;
        }
        if let Some(length) = asked
            .length
            .filter(|_| asked.length != self.surfaces.length)
        {
            self.set("length", typed(length), "m, as asked for");
            self.surfaces.length = Some(length);
        }
        if asked.materials != self.surfaces.materials
            && let Some((key, value, materials)) = named(&asked.materials, false)
        {
            let other = |key: &str| matches!(key, "material" | "materials");
            self.beside.retain(|(own, ..)| own == key || !other(own));
            self.set(key, value, "as asked for");
            self.surfaces.materials = Some(materials);
        }
        self
    }

    /// Puts a value under a key, in the place of the one that is there.
    fn set(&mut self, key: &str, value: String, remark: &str) {
        let new = (key.to_string(), value, remark.to_string());
        match self.beside.iter_mut().find(|(own, ..)| own == key) {
            Some(old) => *old = new,
            None => self.beside.push(new),
        }
    }

    /// Whether the table has this key, beside the law.
    pub fn has(&self, key: &str) -> bool {
        self.beside.iter().any(|(own, ..)| own == key)
    }

    /// The numbers of a law that must be written: the others follow from what the file says of the surfaces.
    fn numbers(&self, judged: &Judged) -> Values {
        let (card, full) = (judged.card, &judged.values);
        let mut words = Values::new();
        for (name, word) in full.words() {
            words.set_word(name, word);
        }
        let supply = |values: &Values| {
            let calibration = judged.law.calibration();
            let supplied = self.surfaces.supply(card, values, calibration);
            supplied.values
        };
        let bare = supply(&words);
        let follows = |p: &&Parameter| match (full.get(p.name), bare.get(p.name)) {
            (Some(own), Some(supplied)) => same(own, supplied),
            (own, _) => own.is_none(),
        };
        // A stiffness and its exponent go together.
        let of_spring = |p: &&Parameter| matches!(p.role, Role::Stiffness | Role::Exponent);
        let whole = card
            .parameters
            .iter()
            .filter(of_spring)
            .all(|p| follows(&p));
        let mut kept = words;
        for p in card.parameters {
            if let Some(value) = full.get(p.name)
                && (!follows(&p) || of_spring(&p) && !whole)
            {
                kept.set_number(p.name, value);
            }
        }
        // Some numbers take the place of others: where that changes one, all are written.
        let again = supply(&kept);
        let mut numbers = full.numbers();
        match numbers.all(|(name, own)| again.get(name).is_some_and(|x| same(own, x))) {
            true => kept,
            false => full.clone(),
        }
    }
}

/// Whether two numbers have the same twelve digits.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs()
}

/// Materials that a file can name, as a key of a joint with its value: the first is that of the journal, `turned` if it comes second. None where a material is none of those that need no table.
fn named(
    materials: &Option<[Material; 2]>,
    turned: bool,
) -> Option<(&'static str, String, [Material; 2])> {
    let both = materials.as_ref()?;
    let listed = |m: &Material| materials::find(&m.id).is_ok_and(|own| own == m);
    if !both.iter().all(listed) {
        return None;
    }
    let [a, b] = both;
    let (journal, bearing) = if turned { (b, a) } else { (a, b) };
    let (key, value) = match journal.id == bearing.id {
        true => ("material", format!("\"{}\"", journal.id)),
        false => (
            "materials",
            format!("[\"{}\", \"{}\"]", journal.id, bearing.id),
        ),
    };
    Some((key, value, both.clone()))
}

/// With twelve digits: whoever pastes it gets the run that was tried, even of a motion in which small differences grow.
pub(in crate::study) fn typed(value: f64) -> String {
    short(format!("{value:.11e}").parse().unwrap_or(value))
}

/// The table of a model file with this law, complete.
pub fn block(advice: &Advice, judged: &Judged, paste: &Paste) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut put = |key: &str, value: &str, remark: &str| {
        lines.push((format!("{key} = {value}"), remark.into()));
    };
    for (key, value, remark) in &paste.beside {
        put(key, value, remark);
    }
    put("law", &format!("\"{}\"", judged.card.id), "");
    let numbers = paste.numbers(judged);
    let speeds = advice.numbers.as_ref().map(|n| n.speeds);
    let several = speeds.filter(|[slow, fast]| slow != fast).map(|s| s[1]);
    for p in judged.card.parameters {
        if let Some(value) = numbers.get(p.name).filter(|_| !paste.has(p.name)) {
            let mut remark = judged.card.unit_of(p, &judged.values);
            if advice.of_this_clearance && p.role == Role::Stiffness {
                remark.push_str(&format!(", {OF_THIS_CLEARANCE}"));
            }
            if let Some(speed) = judged.stiffness_at
                && p.role == Role::Stiffness
            {
                remark.push_str(&format!(", at {}", pretty(speed, "m/s", 4)));
            }
            // One limiting pressure stands for all of the contact, and it is that of the fastest approach.
            if let Some(fastest) = several
                && p.name == LIMITING
                && advice.regime.pressure_ratio.is_some()
            {
                remark.push_str(&format!(", at {}", pretty(fastest, "m/s", 4)));
            }
            if judged.keeps()
                && p.role == Role::Damping
                && let Some(numbers) = &advice.numbers
            {
                remark.push_str(&format!(
                    ", returns {} at {}{}",
                    pretty(judged.impact.restitution, "", 4),
                    pretty(numbers.speed, "m/s", 4),
                    if numbers.assumed { ", assumed" } else { "" }
                ));
            }
            put(p.name, &typed(value), remark.trim_start_matches(", "));
        }
    }
    if let Some(floor) = paste.floor.filter(|_| advice.by_speed(judged)) {
        put(
            "approach_speed_floor",
            &typed(floor.speed()),
            floor.remark(),
        );
    }
    for (word, value) in judged.values.words() {
        put(word, &format!("\"{value}\""), "");
    }
    let exact = judged.law.calibration() == Calibration::Exact;
    let heeded = judged.card.restitution().is_some() || exact;
    if heeded {
        let e = written(advice);
        let (back, asked) = (
            judged.impact.restitution,
            advice.numbers.as_ref().map_or(f64::NAN, |n| n.restitution),
        );
        let mut remark = Vec::new();
        if (back - asked).abs() > MISSED {
            remark.push(format!("{back:.3} comes back of {asked:.3}"));
        }
        if let Some(numbers) = advice.numbers.as_ref().filter(|n| n.assumed) {
            remark.push(match numbers.speeds {
                [slowest, fastest] if slowest == fastest => "assumed".into(),
                _ => format!("assumed, at {}", pretty(numbers.speed, "m/s", 4)),
            });
        }
        if let Restitution::Table(points) = &advice.restitution
            && let (Some(first), Some(last)) = (points.first(), points.last())
        {
            let end = |point: &(f64, f64)| pretty(point.0, "m/s", 4);
            remark.push(match e == TABLE_FILE {
                true => format!(
                    "your table, too long to stand here: columns speed [m/s], restitution; it says nothing below {} or above {}",
                    end(first),
                    end(last)
                ),
                false => format!(
                    "the table; below {} and above {} as there",
                    end(first),
                    end(last)
                ),
            });
        }
        put("restitution", &e, &remark.join(", "));
    }
    if exact {
        put("calibration", "\"exact\"", "");
    }
    let mut text = written_out(&paste.heading, &lines);
    for heading in &paste.apart {
        text.push_str(&format!("# [{heading}] stays as it is\n"));
    }
    text
}

/// A table of a model file: its heading, and lines with remarks, which may be empty, below each other.
pub(in crate::study) fn written_out(heading: &str, lines: &[(String, String)]) -> String {
    let widest = lines
        .iter()
        .filter(|(_, remark)| !remark.is_empty())
        .map(|(line, _)| line.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = format!("[{heading}]\n");
    for (line, remark) in lines {
        text.push_str(line);
        if !remark.is_empty() {
            let pad = " ".repeat(widest.saturating_sub(line.chars().count()));
            text.push_str(&format!("{pad}   # {remark}"));
        }
        text.push('\n');
    }
    text
}

/// Where a contact of one's own stands: its heading, and the line that is the reader's to write.
pub(in crate::study) const CONTACT: &str = "contact.impact";
pub(in crate::study) const BETWEEN: [&str; 3] = [
    "between",
    "[\"one.skin\", \"other.skin\"]",
    "your own outlines",
];

/// A restitution that stands in a file of its own.
const TABLE_FILE: &str = "{ table = \"restitution.csv\" }";

/// The restitution as a model file has it: complete, so that it needs no materials, and no other file unless it is a table of more points than a formula has room for.
fn written(advice: &Advice) -> String {
    match &advice.restitution {
        Restitution::Number(e) => rounded(*e),
        Restitution::Falling { alpha } => {
            format!("\"max(0, 1 - {} s/m*v)\"", rounded(*alpha))
        }
        Restitution::Table(points) => match super::measured::formula(points) {
            text if text.len() > Expression::LONGEST => TABLE_FILE.into(),
            text => format!("\"{text}\""),
        },
        Restitution::Wang { factor } => format!(
            "\"max(0, 1 - {}*(v/(1 m/s))^(1/3))\"",
            rounded(0.26 * factor)
        ),
        Restitution::Function(function) => format!("{:?}", function.text()),
    }
}
