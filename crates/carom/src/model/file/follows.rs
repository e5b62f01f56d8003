//! What does a table that names a law of contact say of how two surfaces push each other away?
//!
//! Contacts and joints with play are such tables. What the table does not give may follow from materials, radii and length; radii that differ from place to place are known only at the touch.

use crate::card;
use crate::card::Range;
use crate::contact;
use crate::contact::materials::Material;
use crate::contact::{
    Calibration, Card, Lack, Restitution, SpeedFunction, Supplied, Surfaces, wang_factor,
};
use crate::mechanics::{Contact, Curved, Fault, Follows, Function};
use crate::model::file::csv::Rule;
use crate::model::file::laws::{OWN, OnCard, Read, is_override};
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::tables::{Laws, Of};
use crate::model::file::tree::Entry;
use crate::model::group::Rolling;
use crate::model::method::ContactMethod;
use crate::model::units::Dimension;

/// The law of a table that names none.
const USUAL: &str = "flores";

/// What is known of the two surfaces before the law is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sides {
    /// What they are made of, if that is known of both.
    pub materials: Option<[Material; 2]>,
    /// How to say what they are made of.
    pub to_name_materials: String,
    /// Signed, m, where they are the same at every point of contact.
    pub radii: Option<[f64; 2]>,
    /// Radii that may occur, m: what else a law lacks is found with them.
    pub example: [f64; 2],
    /// What has a sharp corner that can be touched: it has no stiffness from materials.
    pub sharp: Option<String>,
    /// What has sharp ends, which are rarely touched: they have none either.
    pub ends: Option<String>,
    /// Of the line of contact, m.
    pub length: Option<f64>,
    /// Nothing is known of them, since they were complained about: what is missing may follow from them.
    pub unknown: bool,
}

impl Sides {
    /// As the laws see them.
    pub fn surfaces(&self) -> Surfaces {
        Surfaces {
            materials: self.materials.clone(),
            radii: self.radii,
            length: self.length,
        }
    }
}

impl<'a> Reader<'a> {
    /// The law that the surfaces follow. `beside` are the keys of the table that are not the law's.
    pub fn follows(
        &mut self,
        record: &Record<'a>,
        beside: &[&'static str],
        sides: &Sides,
    ) -> Option<Follows> {
        let entry = record.entry("law");
        let changed = entry.is_some_and(is_override);
        // What is no text has been complained about.
        let id = match entry {
            Some(_) => record.text("law")?,
            None => USUAL,
        };
        if id == OWN {
            return self.own(record, sides, changed).map(Follows::Law);
        }
        let all = Laws::Contact.all();
        let law = match entry {
            Some(entry) => self.law_named(entry, &record.path, &all)?,
            None => all.iter().copied().find(|law| law.id == id)?,
        };
        let card = contact::find(law.id).ok()?;
        let on_card = OnCard {
            law: &law,
            laws: Laws::Contact,
            beside,
            changed,
        };
        let (values, mut sound) = self.on_card(&on_card, &record.rest, &record.path);
        sound &= !record.bad;
        if let Some(force) = record.entry("force") {
            sound &= self.not_own(record, force, changed, card);
        }
        let calibration = self.calibration(record, card, changed);
        let asked = self.restitution(record, sides);
        sound &= asked.is_ok();
        let damper = values.get_word("damper");
        let asked = asked.map(|asked| {
            asked.filter(|_| self.restitution_matters(record, card, damper, calibration))
        });
        let known = sides.surfaces();
        let curved = sides.radii.is_none() && Surfaces::needs_radii(card, &values, calibration);
        let example = Surfaces {
            radii: sides.radii.or(Some(sides.example)),
            ..known.clone()
        };
        let supplied = example.supply(card, &values, calibration);
        let asked_for = asked.clone().ok().flatten();
        let made = self.made(card, &supplied.values, asked_for.clone(), calibration);
        let made = match made {
            Ok(law) => law,
            Err(faults) => {
                let mut of_bearings = false;
                for fault in faults {
                    // A law for a journal in a bearing lacks both radii where there is none: once is enough.
                    if let card::Fault::Missing { name, .. } = &fault
                        && supplied.lack(name) == Some(&Lack::Joint)
                        && std::mem::replace(&mut of_bearings, true)
                    {
                        continue;
                    }
                    let said = match &fault {
                        // A length or a clearance of the joint may be sound, and none of the law's.
                        card::Fault::Missing { name, .. } => {
                            record.given(name) && record.number(name).is_none()
                                || record.rest.iter().any(|e| e.key == *name)
                        }
                        _ => !sound,
                    };
                    if !said {
                        self.lacking(record, card, &fault, &supplied, sides);
                    }
                }
                return None;
            }
        };
        let derived = curved && sides.materials.is_some();
        if let (true, Some(sharp)) = (derived, &sides.sharp) {
            self.notes
                .error(
                    &record.at,
                    &record.path_of("stiffness"),
                    format!("the stiffness cannot follow from the materials: {sharp}"),
                )
                .hint("give stiffness = …, or round the corners off: `rounding` of a shape, `corner_radius` of a slider");
            return None;
        }
        if !sound {
            return None;
        }
        if let (true, Some(ends)) = (derived, &sides.ends) {
            self.notes
                .warning(
                    &record.at,
                    &record.path_of("stiffness"),
                    format!("the stiffness follows from the materials, but {ends}: should one of them be touched, the run fails"),
                )
                .hint("give stiffness = …, or make the profile longer than anything reaches");
        }
        Some(if curved {
            Follows::Curved(Box::new(Curved {
                card,
                values,
                restitution: asked_for,
                calibration,
                surfaces: known,
            }))
        } else {
            Follows::Law(made)
        })
    }

    /// The law with its numbers. Where bodies strike each other at an instant no damper is made from the restitution.
    pub fn made(
        &self,
        card: &'static Card,
        values: &card::Values,
        restitution: Option<Restitution>,
        calibration: Calibration,
    ) -> Result<contact::Law, Vec<card::Fault>> {
        match self.method {
            ContactMethod::Compliant => contact::Law::new(card, values, restitution, calibration),
            ContactMethod::Piecewise | ContactMethod::TimeStepping => {
                contact::Law::for_impulses(card, values, restitution, calibration)
            }
        }
    }

    /// The contact with its least speed, its friction and its resistance to rolling.
    pub fn finish(
        &mut self,
        record: &Record<'a>,
        contact: Result<Contact, Fault>,
    ) -> Option<Contact> {
        let mut contact = self.sound(record, contact)?;
        if let Some(speed) = record.number("approach_speed_floor") {
            contact = self.sound(record, contact.with_slowest(speed))?;
        }
        if let Some(ratio) = record.number("impulse_ratio") {
            contact = self.sound(record, contact.with_impulse_ratio(ratio))?;
            self.ratio_matters(record);
        }
        if let Some((rubbing, Read::Friction(law))) = record.law("friction") {
            contact = self.sound(rubbing, contact.with_friction(law.clone()))?;
        } else if record.given("friction") {
            return None;
        }
        if let (Some(rolling), Some((table, _))) =
            (self.rolling(record).ok()?, record.law("rolling"))
        {
            let by_curvature = rolling.radius.is_none();
            contact = self.sound(table, contact.with_rolling(rolling.law, by_curvature))?;
        }
        Some(contact)
    }

    /// Warns of a ratio of impulses where none is asked for it: only blows at an instant have one.
    fn ratio_matters(&mut self, record: &Record<'a>) {
        let does = match self.method {
            ContactMethod::Piecewise => return,
            ContactMethod::Compliant => "forces along the surfaces follow from `friction`",
            ContactMethod::TimeStepping => "impulses along the surfaces follow from `friction`",
        };
        let message = format!(
            "`impulse_ratio` is passed over: with method.contact = \"{}\" {does}",
            self.method.name()
        );
        self.notes
            .warning(
                &record.place("impulse_ratio"),
                &record.path_of("impulse_ratio"),
                message,
            )
            .hint("method.contact = \"piecewise\" strikes by this ratio");
    }

    /// The resistance to rolling, if there is one.
    pub fn rolling(&self, record: &Record<'a>) -> Result<Option<Rolling>, ()> {
        match record.law("rolling") {
            Some((rolling, Read::Friction(law))) => Ok(Some(Rolling {
                law: law.clone(),
                radius: rolling.number("radius"),
            })),
            _ if record.given("rolling") => Err(()),
            _ => Ok(None),
        }
    }

    /// `force` beside a law of the catalogue. Whether that can be passed over.
    fn not_own(
        &mut self,
        record: &Record<'a>,
        force: &Entry,
        changed: bool,
        card: &'static Card,
    ) -> bool {
        if changed && !is_override(force) {
            self.passed_over(force, &record.path, card.id);
            return true;
        }
        self.notes
            .error(
                &force.key_at,
                &record.path_of("force"),
                format!("`force` means nothing to the law `{}`", card.id),
            )
            .hint("a force of one's own has law = \"own\"");
        false
    }

    fn calibration(
        &mut self,
        record: &Record<'a>,
        card: &'static Card,
        changed: bool,
    ) -> Calibration {
        if record.word("calibration") != Some("exact") {
            return Calibration::Published;
        }
        match record.entry("calibration") {
            Some(entry) if changed && !card.can_calibrate() && !is_override(entry) => {
                self.passed_over(entry, &record.path, card.id);
                Calibration::Published
            }
            _ => Calibration::Exact,
        }
    }

    /// Whether the law takes a restitution; a warning if it does not. Bodies that strike each other at an instant always do.
    fn restitution_matters(
        &mut self,
        record: &Record<'a>,
        card: &'static Card,
        damper: Option<&str>,
        calibration: Calibration,
    ) -> bool {
        if calibration == Calibration::Exact || self.method != ContactMethod::Compliant {
            return true;
        }
        let choice = card.choices.iter().find(|choice| choice.name == "damper");
        let undamped = choice.is_some_and(|choice| {
            let usual = choice.words.first().map(|(word, _)| *word);
            damper.or(usual) == Some("none")
        });
        if card.restitution().is_some() && !undamped {
            return true;
        }
        let hint = if undamped {
            "choose a damper: damper = \"flores\", for one"
        } else if card.can_calibrate() {
            "the law has a damping of its own; with calibration = \"exact\" it is found from the restitution"
        } else {
            "the law has no damper: what it takes up comes back"
        };
        if let Some(entry) = record.entry("restitution") {
            self.notes
                .warning(
                    &entry.key_at,
                    &record.path_of("restitution"),
                    format!(
                        "`restitution` means nothing to the law `{}`, and is passed over",
                        card.id
                    ),
                )
                .hint(hint);
        }
        false
    }

    /// A fault of the law; of what is missing, where it may come from.
    fn lacking(
        &mut self,
        record: &Record<'a>,
        card: &'static Card,
        fault: &card::Fault,
        supplied: &Supplied,
        sides: &Sides,
    ) {
        if let card::Fault::NoCalibration { reason, .. } = fault {
            self.notes
                .error(
                    &record.place("calibration"),
                    &record.path_of("calibration"),
                    format!("`{}` cannot be calibrated: {reason}", card.id),
                )
                .hint("take a law with a damper, such as flores, or leave the calibration out");
            return;
        }
        let card::Fault::Missing {
            name, about, unit, ..
        } = fault
        else {
            self.law_fault(record, fault, &record.rest, Laws::Contact);
            return;
        };
        if sides.unknown && supplied.lack(name).is_some() {
            return;
        }
        let damping = card.parameters.iter().find(|p| p.name == *name);
        let damping = damping.is_some_and(|p| p.role == card::Role::Damping);
        let hint = match supplied.lack(name) {
            Some(Lack::Materials | Lack::MaterialsAndRadii) => format!(
                "give {name} = …, or let it follow from what the two are made of: {}",
                sides.to_name_materials
            ),
            // The table's own length is another one.
            Some(Lack::Length) if record.number("length").is_some() => {
                self.notes
                    .error(
                        &record.place("law"),
                        &record.path_of("law"),
                        format!("`{}` is a law of cylinders, whose length lies across the plane, and that of a slider lies in it", card.id),
                    )
                    .value(card.id)
                    .hint("`flores` and `hertz`, for two, are for any surfaces");
                return;
            }
            Some(Lack::Length) => format!("give length = …: {about}"),
            Some(Lack::Joint) => {
                self.notes
                    .error(
                        &record.place("law"),
                        &record.path_of("law"),
                        format!("`{}` is a law for a journal in a bearing, and these surfaces are none", card.id),
                    )
                    .value(card.id)
                    .hint(match *name {
                        "clearance" => "a circle in a bore is one, and a revolute joint with play",
                        _ => "a circle in a bore is one; or give bearing_radius = … and journal_radius = …",
                    });
                return;
            }
            Some(Lack::YieldStrength) => format!(
                "give {name} = …, or a material with a yield stress: its table takes `yield`"
            ),
            Some(lack) => format!("give {name} = …; {lack}"),
            None if damping && card.can_calibrate() => {
                format!("{about}; or have it found: restitution = … and calibration = \"exact\"")
            }
            None => (*about).into(),
        };
        let exponent = card
            .exponent(&supplied.values)
            .filter(|_| *name == "stiffness");
        let unit = match exponent {
            Some(1.0) => "N/m".into(),
            Some(n) => format!("N/m^{n}"),
            None => (*unit).to_string(),
        };
        let unit = if unit.is_empty() {
            unit
        } else {
            format!(" [{unit}]")
        };
        self.notes
            .error(
                &record.at,
                &record.path_of(name),
                format!("`{name}`{unit} is missing"),
            )
            .hint(hint);
    }

    /// The restitution asked for, if there is one: a number, a function of the approach speed, a table of it, or Wang's from the yield stresses.
    pub fn restitution(
        &mut self,
        record: &Record<'a>,
        sides: &Sides,
    ) -> Result<Option<Restitution>, ()> {
        let Some(node) = record.node("restitution") else {
            return Ok(None);
        };
        let path = record.path_of("restitution");
        let floor = record.number("approach_speed_floor");
        let floor = floor.unwrap_or(Contact::SLOWEST);
        if let Some(table) = node.table() {
            let mut found = None;
            for entry in &table.entries {
                if entry.key == "table" && entry.node.text().is_some() {
                    found = Some(&entry.node);
                    continue;
                }
                let message = format!("`{path}` takes the name of a table alone");
                self.notes
                    .wrong(&entry.node, &path, message)
                    .allowed("{ table = \"file.csv\" }");
                return Err(());
            }
            let Some(file) = found else {
                self.notes
                    .wrong(node, &path, "`table` is missing")
                    .allowed("{ table = \"file.csv\" }");
                return Err(());
            };
            let asked = [
                ("speed", Dimension::SPEED),
                ("restitution", Dimension::NONE),
            ];
            let columns = self.table(file, &path, &asked, Rule::LINES).ok_or(())?;
            let [speeds, values]: [Vec<f64>; 2] = columns.try_into().map_err(|_| ())?;
            let first = speeds.first().copied().unwrap_or(0.0);
            let table = Restitution::Table(speeds.into_iter().zip(values).collect());
            let faults = table.faults("restitution");
            for fault in &faults {
                let card::Fault::OutOfRange {
                    name,
                    value,
                    unit,
                    allowed,
                    ..
                } = fault
                else {
                    self.notes.wrong(file, &path, fault.to_string());
                    continue;
                };
                let value = format!("{} {unit}", card::short(*value));
                let message = format!("the {name} is {}", value.trim_end());
                self.notes
                    .wrong(file, &path, message)
                    .allowed(allowed.clone());
            }
            if !faults.is_empty() {
                return Err(());
            }
            if first > floor {
                self.notes
                    .warning(
                        &file.at,
                        &path,
                        format!("the table begins at {first} m/s: the run ends where anything touches more slowly"),
                    )
                    .hint(format!("bodies that come to rest touch ever more slowly, and count as {floor} m/s at last: add a line there"));
            }
            return Ok(Some(table));
        }
        if node.text() == Some("wang") {
            if sides.unknown {
                return Err(());
            }
            let strengths = sides.materials.as_ref().map(|both| {
                let [a, b] = both;
                [a.yield_strength, b.yield_strength]
            });
            let Some([Some(one), Some(other)]) = strengths else {
                let known = if sides.materials.is_some() {
                    "give both materials a yield stress: a table [material.NAME] takes `yield`"
                } else {
                    sides.to_name_materials.as_str()
                };
                self.notes
                    .wrong(node, &path, "Wang's restitution follows from the yield stresses of both materials, and they are not known")
                    .hint(known);
                return Err(());
            };
            return Ok(Some(Restitution::Wang {
                factor: wang_factor(one, other, false),
            }));
        }
        let Some(text) = node.text() else {
            let e = self.number(node, &path, Dimension::NONE, Range::UNIT);
            return e.map(|e| Some(Restitution::Number(e))).ok_or(());
        };
        let function = self.function(node, &path, Of::Speed, Dimension::NONE);
        match function.ok_or(())? {
            Function::Constant(_) => {
                let e = self.number(node, &path, Dimension::NONE, Range::UNIT);
                e.map(|e| Some(Restitution::Number(e))).ok_or(())
            }
            function => {
                // Whatever comes to rest touches at the least speed in the end.
                let least = function.value(floor);
                if !Range::UNIT.contains(least) {
                    self.notes
                        .wrong(node, &path, format!("the restitution is {least} at the approach speed {floor} m/s"))
                        .allowed("0 ≤ x ≤ 1 at every speed that occurs")
                        .hint("min(1, …) and max(0, …) keep it in range; slower touches count as approach_speed_floor");
                    return Err(());
                }
                let value = move |v: f64| function.value(v);
                Ok(Some(Restitution::Function(SpeedFunction::new(text, value))))
            }
        }
    }
}
