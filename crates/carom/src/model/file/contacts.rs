//! How do the tables of contacts become pairs of outlines that push each other away?

use std::collections::BTreeMap;

use crate::card::{nearest, short};
use crate::geometry;
use crate::geometry::Pair;
use crate::geometry::Shape;
use crate::mechanics::Contact;
use crate::model::diagnostic::cut;
use crate::model::file::follows::Sides;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::tables::CONTACT;
use crate::model::file::tree::Node;
use crate::model::mechanism::{ContactEntry, ShapeEntry};

/// One of the two that can touch: some outlines of a body or of the ground.
pub(crate) struct Side {
    pub body: Option<usize>,
    /// With their full names.
    pub shapes: Vec<Named>,
    /// Whether all outlines of the body are meant, not a certain one.
    pub whole: bool,
}

/// An outline with its full name.
pub(crate) type Named = (String, ShapeEntry);

/// Two outlines that can touch.
pub(crate) type Paired = (Pair, [Named; 2]);

/// Which outlines are in which contact or group already.
pub(crate) type Taken = BTreeMap<[String; 2], String>;

impl<'a> Reader<'a> {
    /// The contacts in the order of the file; those that cannot be made are left out after a complaint.
    pub fn read_contacts(
        &mut self,
        records: &[(&'a str, Record<'a>)],
        taken: &mut Taken,
    ) -> Vec<ContactEntry> {
        let mut contacts = Vec::new();
        for (name, record) in records {
            contacts.extend(self.contact(name, record, taken));
        }
        contacts
    }

    fn contact(
        &mut self,
        name: &str,
        record: &Record<'a>,
        taken: &mut Taken,
    ) -> Option<ContactEntry> {
        let beside: Vec<&'static str> = CONTACT.keys.iter().map(|key| key.name).collect();
        let both = self.both_sides(record);
        let pairs = both.as_ref().and_then(|[first, second]| {
            self.twice(record, [first, second], taken);
            self.pairs(record, [first, second])
        });
        let (Some([first, second]), Some(pairs)) = (both, pairs) else {
            // What is wrong with the law is worth a word whatever it is between.
            let unknown = Sides {
                unknown: true,
                ..Sides::default()
            };
            self.follows(record, &beside, &unknown);
            return None;
        };
        let sides = sides(record, &pairs);
        let pairs: Vec<Pair> = pairs.into_iter().map(|(pair, _)| pair).collect();
        let follows = self.follows(record, &beside, &sides)?;
        let contact = Contact::new([first.body, second.body], pairs, follows);
        let contact = self.finish(record, contact)?;
        Some(ContactEntry {
            name: name.into(),
            joint: None,
            contact,
            surfaces: sides.surfaces(),
        })
    }

    /// The two that `between` names.
    fn both_sides(&mut self, record: &Record<'a>) -> Option<[Side; 2]> {
        let (node, path) = (record.node("between")?, record.path_of("between"));
        let wanted = "two outlines, [\"body.shape\", \"ground.shape\"]";
        let nodes = self.pair(node, &path, wanted)?;
        let [first, second] = nodes.map(|node| self.side(node, &path));
        let (first, second) = (first?, second?);
        if first.body != second.body {
            return Some([first, second]);
        }
        let name = match first.body.and_then(|index| self.world.bodies.get(index)) {
            Some(body) => format!("`{}`", body.name),
            None => "the ground".into(),
        };
        self.notes
            .wrong(
                node,
                &path,
                format!("both sides of this contact are on {name}"),
            )
            .allowed("outlines of two bodies, or of a body and the ground")
            .hint("a rigid body cannot touch itself");
        None
    }

    pub fn side(&mut self, node: &Node, path: &str) -> Option<Side> {
        let Some(text) = node.text() else {
            self.wrong_type(
                node,
                path,
                "an outline: \"body.shape\", \"ground.shape\", \"body\" or \"ground\"",
            );
            return None;
        };
        let (name, shape) = match text.split_once('.') {
            Some((body, shape)) => (body, Some(shape)),
            None => (text, None),
        };
        let body = self.body_named(node, path, name)?;
        let standing = match body {
            Some(index) => self.world.bodies.get(index)?,
            None => &self.world.ground,
        };
        let full = |shape: &ShapeEntry| (format!("{name}.{}", shape.name), shape.clone());
        if standing.shapes.is_empty() {
            let table = if body.is_some() {
                format!("body.{name}")
            } else {
                name.into()
            };
            self.notes
                .wrong(node, path, format!("`{name}` has no shapes that could touch"))
                .hint(format!(
                    "outlines stand in the table [{table}], such as shapes.{} = {{ type = \"circle\", radius = \"10 mm\" }}",
                    cut(shape.unwrap_or("rim"))
                ));
            return None;
        }
        let Some(shape) = shape else {
            // One that was complained about is not complained about again.
            let all: Option<Vec<_>> = standing
                .shapes
                .iter()
                .map(|outline| outline.entry.as_ref().map(full))
                .collect();
            return Some(Side {
                body,
                shapes: all?,
                whole: true,
            });
        };
        if let Some(outline) = standing.shapes.iter().find(|known| known.name == shape) {
            return Some(Side {
                body,
                shapes: vec![full(outline.entry.as_ref()?)],
                whole: false,
            });
        }
        let names: Vec<&str> = standing.shapes.iter().map(|s| s.name.as_str()).collect();
        let close: Vec<String> = nearest(shape, names.iter().copied())
            .iter()
            .map(|shape| format!("{name}.{shape}"))
            .collect();
        let few: Vec<&str> = names.into_iter().take(20).collect();
        let hint = if standing.points.contains_key(shape) {
            "this is a point: what touches is a shape"
        } else {
            ""
        };
        self.notes
            .wrong(
                node,
                path,
                format!("`{name}` has no shape `{}`", cut(shape)),
            )
            .allowed(format!(
                "its shapes are {}; \"{name}\" stands for all",
                few.join(", ")
            ))
            .hint(hint)
            .nearest(&close);
        None
    }

    /// Outlines that another contact has already push twice.
    fn twice(&mut self, record: &Record<'a>, sides: [&Side; 2], taken: &mut Taken) {
        let [first, second] = sides;
        for (one, _) in &first.shapes {
            for (other, _) in &second.shapes {
                if self.push_twice(record, "between", [one, other], taken) {
                    return;
                }
            }
        }
    }

    /// Notes who lets these two outlines touch; a warning if somebody else does already.
    pub fn push_twice(
        &mut self,
        record: &Record<'a>,
        key: &str,
        [one, other]: [&str; 2],
        taken: &mut Taken,
    ) -> bool {
        let mut names = [one.to_string(), other.to_string()];
        names.sort();
        let Some(before) = taken.get(&names) else {
            taken.insert(names, record.path.clone());
            return false;
        };
        self.notes
            .warning(
                &record.place(key),
                &record.path_of(key),
                format!("`{one}` and `{other}` are in `{before}` as well: both push"),
            )
            .hint("remove them from one of the two, unless the forces are meant to add up");
        true
    }

    /// Every outline of the one with every outline of the other.
    fn pairs(&mut self, record: &Record<'a>, [first, second]: [&Side; 2]) -> Option<Vec<Paired>> {
        let mut pairs = Vec::new();
        let mut refused = Vec::new();
        for one in &first.shapes {
            for other in &second.shapes {
                match Pair::new(one.1.shape.clone(), other.1.shape.clone()) {
                    Ok(pair) => pairs.push((pair, [one.clone(), other.clone()])),
                    Err(fault) => refused.push(([&one.0, &other.0], fault)),
                }
            }
        }
        let certain = !first.whole && !second.whole;
        let none = pairs.is_empty();
        for (names, fault) in &refused {
            let (reason, value, allowed, hint) = pair_words(fault);
            let [one, other] = names;
            let message = format!("`{one}` and `{other}` cannot touch each other: {reason}");
            let (at, path) = (record.place("between"), record.path_of("between"));
            let found = if certain || none {
                self.notes.error(&at, &path, message)
            } else {
                self.notes.warning(&at, &path, message)
            };
            found.value(value).allowed(allowed).hint(hint);
        }
        (!none).then_some(pairs)
    }
}

/// What is wrong with a pair: the reason, both numbers, what is allowed and a hint.
pub(crate) fn pair_words(fault: &geometry::Fault) -> (String, String, String, String) {
    match fault {
        geometry::Fault::Pair { reason, hint, .. } => (
            (*reason).into(),
            String::new(),
            String::new(),
            (*hint).into(),
        ),
        geometry::Fault::TooLarge { inside, bore } => (
            "what stands inside must be smaller than the bore".into(),
            format!("{} m in {} m", short(*inside), short(*bore)),
            format!("< {} m", short(*bore)),
            "were the two radii exchanged?".into(),
        ),
        other => (
            other.to_string(),
            String::new(),
            String::new(),
            String::new(),
        ),
    }
}

/// What the outlines say of the surfaces.
pub(crate) fn sides(record: &Record<'_>, pairs: &[Paired]) -> Sides {
    let materials = same(pairs.iter().map(|(_, [a, b])| {
        let both = [&a.1, &b.1].map(|shape| shape.material.clone());
        let [Some(a), Some(b)] = both else {
            return None;
        };
        Some([a, b])
    }));
    let bare = pairs.iter().flat_map(|(_, both)| both);
    let mut bare: Vec<&str> = bare
        .filter(|(_, shape)| shape.material.is_none())
        .map(|(name, _)| name.as_str())
        .collect();
    bare.sort_unstable();
    bare.dedup();
    let lengths = pairs.iter().flat_map(|(_, both)| both);
    let lengths = lengths.filter_map(|(_, shape)| shape.length);
    Sides {
        to_name_materials: match bare.as_slice() {
            [] => {
                "its outlines are of several materials: write a contact for each pair of materials"
                    .into()
            }
            [one] => format!("`{one}` has no material, such as material = \"steel\""),
            several => format!(
                "`{}` have no material, such as material = \"steel\"",
                several.join("`, `")
            ),
        },
        materials,
        radii: radii(pairs.iter().map(|(pair, _)| pair)),
        example: example(pairs.iter().map(|(pair, _)| pair)),
        sharp: named(pairs, is_sharp).map(|name| format!("`{name}` has sharp corners")),
        ends: named(pairs, Shape::is_open)
            .map(|name| format!("`{name}` has ends without a radius")),
        length: record.number("length").or(lengths.reduce(f64::min)),
        unknown: false,
    }
}

/// The first outline of which this holds.
fn named(pairs: &[Paired], holds: impl Fn(&Shape) -> bool) -> Option<&str> {
    let all = pairs.iter().flat_map(|(_, both)| both);
    let mut found = all.filter(|(_, entry)| holds(&entry.shape));
    found.next().map(|(name, _)| name.as_str())
}

/// The radii of two surfaces where they are the same at every point of contact of all pairs.
pub(crate) fn radii<'p>(pairs: impl Iterator<Item = &'p Pair>) -> Option<[f64; 2]> {
    let curvatures = same(pairs.map(Pair::curvatures))?;
    Some(curvatures.map(|curvature| {
        if curvature == 0.0 {
            f64::INFINITY
        } else {
            1.0 / curvature
        }
    }))
}

/// Radii that may occur: which of the two is hollow is all that matters of them.
pub(crate) fn example<'p>(mut pairs: impl Iterator<Item = &'p Pair>) -> [f64; 2] {
    let hollow = pairs
        .next()
        .map(|pair| pair.shapes().map(|s| s.kind() == "bore"));
    match hollow {
        Some([true, _]) => [-2.0, 1.0],
        Some([_, true]) => [1.0, -2.0],
        _ => [1.0, 1.0],
    }
}

/// What all of them are, if they are all the same and none is missing.
fn same<T: PartialEq>(mut all: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = all.next()??;
    all.all(|other| other.as_ref() == Some(&first))
        .then_some(first)
}

/// Whether it has corners without a radius.
pub(crate) fn is_sharp(shape: &Shape) -> bool {
    shape.is_sharp()
}
